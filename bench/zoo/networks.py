"""The networks of the zoo: where each comes from, and the ways in which it is converted."""
import collections

# source: below models/ of the folder with the data. variants: name of the numbers -> options of mnnconvert, in
# which {data} is that folder.
Network = collections.namedtuple('Network', 'name task origin source variants')

AS_IT_IS = {'as in the file': []}
CIFAR = ['--calib', '{data}/cifar10/calibration_images.npy']
FACES = ['--calib', '{data}/images/faces', '--mean', '127', '--scale', '0.0078125']
SILERO = ['--input-value', 'sr=16000', '--input-shape', 'input=1x576', '--input-shape', 'state=2x1x128']
CACHE = ['--kv-cache', '64']
STREETS = ['--calib', '{data}/images/coco', '--scale', '0.00392157', '--color', 'bgr']


def quantized(calibration):
    return {'float32': [], 'int8': ['--quant', 'int8', *calibration], 'int16x8': ['--quant', 'int16x8', *calibration]}


NETWORKS = [
    Network('resnet8', 'one of ten things in a picture of 32x32', 'MLPerf Tiny, Apache-2.0', 'onnx/resnet8.onnx',
            quantized(CIFAR)),
    Network('ultraface_rfb_320', 'faces, boxes decoded', 'Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB, MIT',
            'onnx/ultraface_rfb_320.onnx', quantized(FACES)),
    Network('fastestdet', 'things of COCO', 'dog-qiuqiu/FastestDet, BSD-3-Clause', 'onnx/fastestdet.onnx',
            quantized(STREETS)),
    Network('face_detection_short_range', 'faces near a phone', 'MediaPipe, Apache-2.0',
            'tflite/face_detection_short_range.tflite', {'fp16': ['--quant', 'fp16'], 'float32': []}),
    Network('mobilenet_v1_0.25_128', 'one of 1,001 things', 'Coral, Apache-2.0',
            'tflite/mobilenet_v1_0.25_128_quant.tflite', AS_IT_IS),
    Network('vww', 'whether a person is in the picture', 'MLPerf Tiny, Apache-2.0', 'tflite/vww_int8.tflite', AS_IT_IS),
    Network('person_detect', 'the same, of grey pictures', 'TensorFlow Lite Micro, Apache-2.0',
            'tflite/person_detect.tflite', AS_IT_IS),
    Network('kws', 'one of ten words', 'MLPerf Tiny, Apache-2.0', 'tflite/kws_int8.tflite', AS_IT_IS),
    Network('ds_cnn_small_int16', 'the same, with 16 bits', 'ARM ML-Zoo, Apache-2.0', 'tflite/ds_cnn_small_int16.tflite',
            AS_IT_IS),
    Network('micro_speech', 'yes or no', 'TensorFlow Lite Micro, Apache-2.0', 'tflite/micro_speech_int8.tflite', AS_IT_IS),
    Network('okay_nabu', 'a wake word, step by step, with state', 'esphome/micro-wake-word-models, Apache-2.0',
            'tflite/mww_okay_nabu_v2.tflite', AS_IT_IS),
    Network('silero_vad', 'whether somebody speaks', 'snakers4/silero-vad, MIT', 'onnx/silero_vad_16k_op15.onnx',
            {'float32': SILERO, 'int8 weights': [*SILERO, '--quant', 'int8-weights']}),
    Network('ad', 'whether a machine sounds odd', 'MLPerf Tiny, Apache-2.0', 'tflite/ad_int8.tflite', AS_IT_IS),
    Network('keras_lstm_mnist', 'a digit, row by row by an LSTM', 'TensorFlow examples, Apache-2.0',
            'tflite/keras_lstm_mnist_ptq.tflite', AS_IT_IS),
    Network('tiny_gpt2', 'the next token of a text (random weights)', 'hf-internal-testing, by microsoft/onnxruntime-genai, MIT',
            'language/hf-internal-testing_tiny-random-gpt2-fp32_past.onnx',
            {'float32': CACHE, 'int8 weights': [*CACHE, '--quant', 'int8-weights']}),
]
