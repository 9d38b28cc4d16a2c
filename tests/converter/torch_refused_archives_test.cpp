// TorchScript archives that are no ZIP archives, or none that PyTorch writes.

#include "tests/converter/torch_file_refusals.h"

namespace micrort::testing::torch_refused_archives {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
constexpr int kMethod = 10, kPackedBytes = 20, kBytes = 24, kExtraBytes = 30, kCommentBytes = 32,
              kHeaderAt = 42;

std::string Patched(std::string bytes, size_t at, const std::string& with) {
  return bytes.replace(at, with.size(), with);
}

// Where headers of the entry stand: the one before its content, and the one in the directory.
size_t LocalOf(const std::string& archive, const std::string& entry) {
  return archive.find("net/" + entry) - kLocalBytes;
}
size_t CentralOf(const std::string& archive, const std::string& entry) {
  return archive.rfind("net/" + entry) - kCentralBytes;
}

// The model whose directory says this of an entry.
Status Says(const std::string& entry, size_t field, uint64_t value, int bytes) {
  const std::string archive = AddingModel().Bytes();
  return ImportedWithTwo(Patched(archive, CentralOf(archive, entry) + field, LittleEndian(value, bytes)));
}

// The model with an entry that is compressed by `method` to `packed`, and has `bytes` of them.
Status Compressed(const std::string& entry, const std::string& packed, uint16_t method, uint32_t bytes) {
  std::string archive = AddingModel().Entry(entry, packed).Bytes();
  const size_t central = CentralOf(archive, entry);
  archive = Patched(archive, LocalOf(archive, entry) + 8, LittleEndian(method, 2));
  archive = Patched(archive, central + kMethod, LittleEndian(method, 2));
  return ImportedWithTwo(Patched(archive, central + kBytes, LittleEndian(bytes, 4)));
}

// Nothing but the end of an archive that counts its entries elsewhere, after `before`.
Status Of64Bits(const std::string& before) {
  return ImportedWithTwo(before + "PK\x05\x06" + std::string(6, '\0') + "\xff\xff" + std::string(10, '\0'));
}
std::string Locator64(uint64_t record_at) {
  return "PK\x06\x07" + LittleEndian(0, 4) + LittleEndian(record_at, 8) + LittleEndian(1, 4);
}

// A block of deflate that is not compressed.
std::string DeflatedVersion() { return std::string("\x01\x02\x00\xfd\xff", 5) + "3\n"; }

const Refusal kArchives[] = {
    {"ShorterThanItsEnd", MICRORT_STATUS(ImportedWithTwo("PK\x05\x06")), "the archive is cut short"},
    {"NoEnd", MICRORT_STATUS(ImportedWithTwo("PK" + std::string(kEndBytes, ' '))),
     "the archive has no directory"},
    {"NoRoomForALocator64", MICRORT_STATUS(Of64Bits("PK")), "ZIP64 record is missing"},
    {"NoLocator64", MICRORT_STATUS(Of64Bits("PK" + std::string(100, '\0'))), "ZIP64 record is missing"},
    {"Record64BeyondTheFile", MICRORT_STATUS(Of64Bits("PK" + Locator64(~uint64_t{0}))),
     "ZIP64 record is broken"},
    {"Record64OfAnother", MICRORT_STATUS(Of64Bits("PK" + std::string(100, '\0') + Locator64(0))),
     "ZIP64 record is broken"},
    {"DirectoryOfAnother", MICRORT_STATUS(Says("version", 0, 0, 4)), "the archive's directory is broken"},
    {"CommentBeyondTheDirectory", MICRORT_STATUS(Says("version", kCommentBytes, 1, 2)),
     "the archive's directory is broken"},
    {"FieldBeyondItsExtra",
     [] {
       // The comment of 8 bytes becomes a field that says more.
       std::string archive = AddingModel().Bytes();
       const size_t central = CentralOf(archive, "version"), end = archive.size() - kEndBytes;
       archive.insert(end, LittleEndian(1, 2) + LittleEndian(5, 2) + std::string(4, '\0'));
       archive = Patched(archive, central + kExtraBytes, LittleEndian(8, 2));
       const size_t size_at = archive.size() - kEndBytes + 12;
       return ImportedWithTwo(
           Patched(archive, size_at, LittleEndian(end + 8 - archive.find("PK\x01\x02"), 4)));
     },
     "the archive's directory is broken"},
    {"Encrypted", MICRORT_STATUS(Says("version", 8, 1, 2)), "the archive is encrypted", kUnsupported},
    {"NamesThatAreNoText", MICRORT_STATUS(ImportedWithTwo(AddingModel().Entry("data/\x01", "").Bytes())),
     "a name that is no text"},
    {"HeaderElsewhere", MICRORT_STATUS(Says("version", kHeaderAt, 1, 4)),
     "entry 'net/version' of the archive is not where its directory says"},
    {"ContentBeyondTheFile", MICRORT_STATUS(Says("version", kPackedBytes, 1 << 20, 4)),
     "entry 'net/version' of the archive reaches beyond the file"},
    {"AnotherSize", MICRORT_STATUS(Says("version", kBytes, 1, 4)),
     "entry 'net/version' of the archive is another one where it stands"},
    {"TwoOfAName",
     [] {
       std::string archive = AddingModel().Entry("versiom", "").Bytes();
       archive = Patched(archive, LocalOf(archive, "versiom") + kLocalBytes, "net/version");
       return ImportedWithTwo(Patched(archive, CentralOf(archive, "versiom") + kCentralBytes, "net/version"));
     },
     "the archive has two entries 'net/version'"},
    {"EntriesInsideOthers",
     [] {
       // A whole entry stands in the content of another one.
       const std::string local = ZipOf({{"inside", ""}}).substr(0, kLocalBytes + 10);
       const std::string archive = AddingModel().Entry("inside", "").Entry("outside", local).Bytes();
       const size_t inner = archive.find(local, LocalOf(archive, "outside"));
       return ImportedWithTwo(
           Patched(archive, CentralOf(archive, "inside") + kHeaderAt, LittleEndian(inner, 4)));
     },
     "entries of the archive overlap"},
    {"AStorageThatIsAbsent",
     MICRORT_STATUS(
         ImportedWithTwo(ModelWithoutW().Attribute("w", PickledTensor("9", {2}, {1}, 0, 2)).Bytes())),
     "the archive has no entry 'data/9'"},
    {"CompressedStorages", MICRORT_STATUS(Compressed("data/0", DeflatedVersion(), 8, 2)),
     "entry 'data/0' of the archive is compressed, PyTorch stores it plainly", kUnsupported},
    {"ALargePickle", MICRORT_STATUS(Compressed("constants.pkl", DeflatedVersion(), 8, 0x10000001)),
     "entry 'constants.pkl' of the archive has 268435457 bytes, at most 67108864 are expected"},
    {"AnotherMethod", MICRORT_STATUS(Compressed("constants.pkl", DeflatedVersion(), 12, 2)),
     "entry 'constants.pkl' of the archive is compressed by method 12, not by deflate", kUnsupported},
    {"FewerBytesThanSaid", MICRORT_STATUS(Compressed("constants.pkl", DeflatedVersion(), 8, 3)),
     "entry 'constants.pkl' of the archive is broken"},
    {"MoreBytesThanDeflateMakes", MICRORT_STATUS(Compressed("constants.pkl", DeflatedVersion(), 8, 0x100000)),
     "entry 'constants.pkl' of the archive is broken"},
};

MICRORT_EXPECT_REFUSALS(TorchRefusedArchives, kArchives);

}  // namespace
}  // namespace micrort::testing::torch_refused_archives
