// Checkpoints of TensorFlow that are refused: tables and entries that contradict their format.

#include <snappy.h>

#include <filesystem>
#include <fstream>

#include "converter/frontend/tensorflow/checkpoint.h"
#include "converter/frontend/tensorflow/sorted_table.h"
#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "tests/converter/tensorflow_checkpoint.h"
#include "tests/refusal.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::testing::tensorflow_refused_checkpoints {
namespace {

using ::tensorflow::BundleEntryProto;
using ::tensorflow::BundleHeaderProto;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr char kSnappy = 1;

Status ReadTable(const std::string& bytes) {
  std::map<std::string, std::string> entries;
  return frontend::tensorflow::ReadSortedTable({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
                                               &entries);
}

Status ReadBlock(const std::string& bytes, char compression = '\0') {
  return ReadTable(TableOf(bytes, compression));
}

std::string Varint(uint64_t v) {
  std::string bytes;
  AppendVarint(v, &bytes);
  return bytes;
}

std::string Little32(uint32_t v) {
  std::string bytes;
  AppendLittle(v, 4, &bytes);
  return bytes;
}

const Refusal kTables[] = {
    {"ShorterThanAFooter", MICRORT_STATUS(ReadTable(TableFooter("").substr(1))), "it is too short"},
    {"AnotherEnding", MICRORT_STATUS(ReadTable(TableOf(TableEntries("")) + " ")),
     "it does not end as a table does"},
    {"FooterWithoutAnEnd", MICRORT_STATUS(ReadTable(TableFooter(std::string(40, '\xff')))), "its footer"},
    {"IndexWithoutASize",
     MICRORT_STATUS(ReadTable(TableFile(TableBlock(TableEntries("")), TableEntry("z", Varint(0))))),
     "its index"},
    {"BlockThatBeginsBehindTheEnd",
     MICRORT_STATUS(ReadTable(TableFile("", TableEntry("z", TableHandle(1000, 0))))),
     "a block reaches over the end"},
    {"BlockWithoutRoomForItsChecksum",
     [] {
       const std::string block = TableBlock("");
       return ReadTable(block + TableFooter(TableHandle(0, 0) + TableHandle(0, block.size() + 44)));
     },
     "a block reaches over the end"},
    {"AnotherChecksum",
     [] {
       std::string file = TableOf(TableEntries(TableEntry("key", "value")));
       file[3] ^= 1;
       return ReadTable(file);
     },
     "a block's checksum"},
    {"AnotherCompression", MICRORT_STATUS(ReadBlock(TableEntries(""), 2)), "compressed by method 2",
     kUnsupported},
    {"CompressedWithoutASize", MICRORT_STATUS(ReadBlock(std::string(6, '\xff'), kSnappy)),
     "a block's plain size"},
    {"CompressedOfMoreThanTheLimit", MICRORT_STATUS(ReadBlock(Varint((256 << 20) + 1), kSnappy)),
     "a checkpoint's index of more than 268435456 bytes", kUnsupported},
    {"KeysThatShareMoreThanTheLimit",
     [] {
       constexpr size_t kShared = 1 << 20;
       std::string entries = TableEntry(std::string(kShared, 'k'), "");
       for (int i = 0; i < 256; ++i) entries += TableEntry("", "", kShared);
       return ReadBlock(TableEntries(entries));
     },
     "a checkpoint's index of more than 268435456 bytes", kUnsupported},
    {"CompressedAndCutOff",
     [] {
       std::string bytes;
       const std::string plain = TableEntries(TableEntry("key", "value"));
       snappy::Compress(plain.data(), plain.size(), &bytes);
       return ReadBlock(bytes.substr(0, bytes.size() - 1), kSnappy);
     },
     "a compressed block"},
    {"BlockWithoutACountOfRestarts", MICRORT_STATUS(ReadBlock("abc")), "an empty block"},
    {"MoreRestartsThanBytes", MICRORT_STATUS(ReadBlock(Little32(0) + Little32(2))), "a block's restarts"},
    {"KeyThatSharesMoreThanThereIs", MICRORT_STATUS(ReadBlock(TableEntries(TableEntry("key", "value", 1)))),
     "an entry"},
    {"EntryWithoutAnEnd", MICRORT_STATUS(ReadBlock(TableEntries(std::string(1, '\0')))), "an entry"},
    {"KeyOverTheEnd", MICRORT_STATUS(ReadBlock(TableEntries(Varint(0) + Varint(4) + Varint(0)))), "an entry"},
    {"ValueOverTheEnd", MICRORT_STATUS(ReadBlock(TableEntries(Varint(0) + Varint(0) + Varint(1)))),
     "an entry"},
};

// An index of these entries, and a file of data.
class CheckpointFiles {
 public:
  explicit CheckpointFiles(const std::string& entries, const std::string& data = "") {
    std::ofstream(prefix() + ".index", std::ios::binary) << TableOf(TableEntries(entries));
    std::ofstream(prefix() + ".data-00000-of-00001", std::ios::binary) << data;
  }

  Status Open() { return checkpoint_.Open(prefix()); }
  Status Read(const std::string& variable) {
    const Status opened = Open();
    if (!opened.ok()) return opened.WithPrefix("not opened");
    frontend::tensorflow::ConstantTensor tensor;
    return checkpoint_.Read(variable, &tensor);
  }

 private:
  std::string prefix() const { return folder_.File("variables"); }

  TemporaryFolder folder_;
  frontend::tensorflow::Checkpoint checkpoint_;
};

std::string HeaderEntry(int32_t shards = 1, BundleHeaderProto::Endianness order = BundleHeaderProto::LITTLE) {
  BundleHeaderProto header;
  header.set_num_shards(shards);
  header.set_endianness(order);
  return TableEntry("", header.SerializeAsString());
}

Status OpenHeader(const std::string& entries) { return CheckpointFiles(entries).Open(); }

// The string is `text`, after a length and a checksum that nobody checks; `checksum` is that of all.
Status OpenObjects(uint64_t length, const std::string& text, uint32_t checksum = 0) {
  const std::string data = Varint(length) + Little32(0) + text;
  BundleEntryProto entry;
  entry.set_size(static_cast<int64_t>(data.size()));
  entry.set_crc32c(checksum);
  return CheckpointFiles(
             HeaderEntry() + TableEntry("_CHECKPOINTABLE_OBJECT_GRAPH", entry.SerializeAsString()), data)
      .Open();
}

// Two floats, of which `change` makes something else.
Status ReadChanged(void (*change)(BundleEntryProto* entry)) {
  BundleEntryProto entry;
  entry.set_dtype(::tensorflow::DT_FLOAT);
  entry.mutable_shape()->add_dim()->set_size(2);
  entry.set_size(8);
  change(&entry);
  return CheckpointFiles(HeaderEntry() + TableEntry("v", entry.SerializeAsString()), std::string(8, '\0'))
      .Read("v");
}

const std::string kNoMessage(1, '\x08');  // a field without a value

const Refusal kCheckpoints[] = {
    {"NoHeader", MICRORT_STATUS(OpenHeader(TableEntry("v", ""))), "the header is missing or broken"},
    {"BrokenHeader", MICRORT_STATUS(OpenHeader(TableEntry("", kNoMessage))),
     "the header is missing or broken"},
    {"NoShards", MICRORT_STATUS(OpenHeader(HeaderEntry(0))), "the header is missing or broken"},
    {"TooManyShards", MICRORT_STATUS(OpenHeader(HeaderEntry(100001))), "the header is missing or broken"},
    {"BigEndian", MICRORT_STATUS(OpenHeader(HeaderEntry(1, BundleHeaderProto::BIG))),
     "variables.index: written on a big-endian machine", kUnsupported},
    {"BrokenEntryOfObjects",
     MICRORT_STATUS(OpenHeader(HeaderEntry() + TableEntry("_CHECKPOINTABLE_OBJECT_GRAPH", kNoMessage))),
     "the entry of the checkpoint's object graph is broken"},
    {"ObjectsThatEndBeforeTheirString", MICRORT_STATUS(OpenObjects(0, "text")),
     "the checkpoint's object graph is not one string"},
    {"ObjectsThatAreNoMessage", MICRORT_STATUS(OpenObjects(1, kNoMessage)),
     "the checkpoint's object graph is broken"},
    {"NoSuchVariable", MICRORT_STATUS(CheckpointFiles(HeaderEntry()).Read("v")),
     "the checkpoint has no value for it"},
    {"BrokenEntry", MICRORT_STATUS(CheckpointFiles(HeaderEntry() + TableEntry("v", kNoMessage)).Read("v")),
     "its entry is broken"},
    {"Partitioned", [] { return ReadChanged([](BundleEntryProto* entry) { entry->add_slices(); }); },
     "it is partitioned", kUnsupported},
    {"OfStrings",
     [] { return ReadChanged([](BundleEntryProto* e) { e->set_dtype(::tensorflow::DT_STRING); }); },
     "it is of type DT_STRING", kUnsupported},
    {"ShardThatIsNotThere", [] { return ReadChanged([](BundleEntryProto* e) { e->set_shard_id(1); }); },
     "shard 1 of 1"},
    {"ShardBeforeTheFirst", [] { return ReadChanged([](BundleEntryProto* e) { e->set_shard_id(-1); }); },
     "shard -1 of 1"},
    {"DataOverTheEnd", [] { return ReadChanged([](BundleEntryProto* e) { e->set_offset(1); }); },
     "its data reach over the end of shard 0"},
    {"DataBeforeTheBeginning", [] { return ReadChanged([](BundleEntryProto* e) { e->set_offset(-1); }); },
     "its data reach over the end of shard 0"},
    {"FewerBytesThanElements", [] { return ReadChanged([](BundleEntryProto* e) { e->set_size(4); }); },
     "expected 8 bytes, found 4"},
    {"AnotherChecksum", [] { return ReadChanged([](BundleEntryProto* e) { e->set_crc32c(1); }); },
     "its data are damaged: checksum 07980329, expected 00000001"},
    {"PointersInPlaceOfData",
     [] {
       BundleEntryProto entry;
       entry.set_dtype(::tensorflow::DT_FLOAT);
       entry.set_size(4);
       return CheckpointFiles(HeaderEntry() + TableEntry("v", entry.SerializeAsString()),
                              "version https://git-lfs.github.com/spec/v1\n")
           .Read("v");
     },
     "variables.data-00000-of-00001: this is a Git LFS pointer"},
    {"AnotherChecksumOfObjects", MICRORT_STATUS(OpenObjects(0, "", 1)),
     "the checkpoint's object graph: its data are damaged: checksum"},
};

MICRORT_EXPECT_REFUSALS(TensorflowRefusedTables, kTables);
MICRORT_EXPECT_REFUSALS(TensorflowRefusedCheckpoints, kCheckpoints);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_checkpoints
