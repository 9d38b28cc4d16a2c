#!/usr/bin/env python3
"""grpc_client.py STUBS ADDRESS MODEL: asks each call of the Open Inference Protocol with messages that protoc made.

STUBS is the folder of open_inference_pb2.py. MODEL is a Relu of FP32 [?, 4] in a server whose models are loaded by request."""

import struct
import sys

import grpc

sys.path.insert(0, sys.argv[1])
import open_inference_pb2 as pb  # noqa: E402

channel = grpc.insecure_channel(sys.argv[2])
model = sys.argv[3]


def call(name, request, **options):
    """The answer to a call, whose messages are named after it."""
    answer = getattr(pb, name + 'Response')
    return channel.unary_unary('/inference.GRPCInferenceService/' + name, type(request).SerializeToString,
                               answer.FromString)(request, timeout=20, **options)


def expect(found, expected):
    if found != expected:
        sys.exit(f'expected {expected}, found {found}')


def expect_error(code, name, request):
    try:
        call(name, request)
    except grpc.RpcError as error:
        return expect(error.code(), code)
    sys.exit(f'{name}: expected {code}, found an answer')


def infer_request(rows):
    request = pb.ModelInferRequest(model_name=model, id='7')
    request.inputs.add(name='x', datatype='FP32', shape=[rows, 4])
    return request


def raw_request(values):
    request = infer_request(len(values) // 4)
    request.raw_input_contents.append(struct.pack(f'<{len(values)}f', *values))
    return request


def main():
    grpc.channel_ready_future(channel).result(timeout=20)
    expect(call('ServerLive', pb.ServerLiveRequest()).live, True)
    expect(call('ServerReady', pb.ServerReadyRequest()).ready, True)
    expect(call('ServerMetadata', pb.ServerMetadataRequest()).name, 'micrort-serve')

    expect(call('ModelReady', pb.ModelReadyRequest(name=model)).ready, False)
    call('RepositoryModelLoad', pb.RepositoryModelLoadRequest(model_name=model))
    expect(call('ModelReady', pb.ModelReadyRequest(name=model)).ready, True)
    index = call('RepositoryIndex', pb.RepositoryIndexRequest(ready=True))
    expect([(m.name, m.version, m.state) for m in index.models], [(model, '1', 'READY')])

    metadata = call('ModelMetadata', pb.ModelMetadataRequest(name=model))
    expect([(t.name, t.datatype, list(t.shape)) for t in metadata.inputs], [('x', 'FP32', [-1, 4])])
    expect([(t.name, t.datatype) for t in metadata.outputs], [('y', 'FP32')])

    answer = call('ModelInfer', raw_request([-1, 2, -3, 4, 5, -6, 7, -8]))
    expect((answer.id, answer.model_version, list(answer.outputs[0].shape)), ('7', '1', [2, 4]))
    expect(struct.unpack('<8f', answer.raw_output_contents[0]), (0, 2, 0, 4, 5, 0, 7, 0))

    numbers = infer_request(1)
    numbers.inputs[0].contents.fp32_contents.extend([-1, 2, -3, 4])
    answer = call('ModelInfer', numbers, metadata=[('traceparent', '00-1-2-01')])
    expect(struct.unpack('<4f', answer.raw_output_contents[0]), (0, 2, 0, 4))

    expect_error(grpc.StatusCode.INVALID_ARGUMENT, 'ModelInfer', infer_request(1))
    short = raw_request([1, 2, 3, 4])
    short.raw_input_contents[0] = short.raw_input_contents[0][:15]
    expect_error(grpc.StatusCode.INVALID_ARGUMENT, 'ModelInfer', short)
    huge = raw_request([1, 2, 3, 4])
    huge.inputs[0].shape[0] = 1 << 40
    expect_error(grpc.StatusCode.RESOURCE_EXHAUSTED, 'ModelInfer', huge)
    expect_error(grpc.StatusCode.NOT_FOUND, 'ModelInfer', pb.ModelInferRequest(model_name='none'))
    wrong = raw_request([1, 2, 3, 4])
    wrong.model_version = 'first'
    expect_error(grpc.StatusCode.INVALID_ARGUMENT, 'ModelInfer', wrong)

    stats = call('ModelStatistics', pb.ModelStatisticsRequest(name=model)).model_stats
    expect([(s.name, s.execution_count) for s in stats], [(model, 2)])
    expect(stats[0].inference_stats.success.count, 2)

    call('RepositoryModelUnload', pb.RepositoryModelUnloadRequest(model_name=model))
    expect_error(grpc.StatusCode.NOT_FOUND, 'ModelMetadata', pb.ModelMetadataRequest(name=model))
    print('ok')


main()
