"""The C interface of speech to text (micrort/text/speech_c.h), by ctypes. What users call is in text.py."""

import ctypes
import threading
import weakref

import numpy as np

from micrort import _library
from micrort._library import c_text, check, integer


class _Files(ctypes.Structure):
    _fields_ = [("struct_bytes", ctypes.c_size_t)] + [
        (name, ctypes.c_char_p) for name in ("encoder", "decoder", "cross", "tokenizer", "generation_config")
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("struct_bytes", ctypes.c_size_t),
        ("language", ctypes.c_char_p),
        ("translate", ctypes.c_int32),
        ("timestamps", ctypes.c_int32),
        ("max_tokens", ctypes.c_int32),
        ("temperature", ctypes.c_float),
        ("seed", ctypes.c_uint64),
        ("prompt", ctypes.c_char_p),
    ]


class _Segment(ctypes.Structure):
    _fields_ = [
        ("begin", ctypes.c_double),
        ("end", ctypes.c_double),
        ("text", ctypes.c_void_p),
        ("text_bytes", ctypes.c_size_t),
        ("tokens", ctypes.POINTER(ctypes.c_int32)),
        ("token_count", ctypes.c_size_t),
    ]


class Figures(ctypes.Structure):
    _fields_ = [
        ("was_stopped", ctypes.c_int32),
        ("audio_seconds", ctypes.c_double),
        ("feature_seconds", ctypes.c_double),
        ("encode_seconds", ctypes.c_double),
        ("prefill_seconds", ctypes.c_double),
        ("decode_seconds", ctypes.c_double),
        ("tokens", ctypes.c_size_t),
    ]


_SIZE, _STATUS, _HANDLE, _TEXT = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
_NEW = ctypes.POINTER(ctypes.c_void_p)
_MESSAGE = [ctypes.c_char_p, ctypes.c_size_t]
_ON_TEXT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_ON_SEGMENT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(_Segment))
_SAMPLES = ctypes.POINTER(ctypes.c_float)

_FUNCTIONS = {
    "audio_from_file": (_STATUS, [_TEXT, _NEW, *_MESSAGE]),
    "audio_from_buffer": (_STATUS, [_TEXT, _SIZE, _NEW, *_MESSAGE]),
    "audio_samples": (_SAMPLES, [_HANDLE, ctypes.POINTER(_SIZE), ctypes.POINTER(ctypes.c_int32)]),
    "audio_destroy": (None, [_HANDLE]),
    "speech_model_from_folder": (_STATUS, [_TEXT, _NEW, *_MESSAGE]),
    "speech_model_from_files": (_STATUS, [ctypes.POINTER(_Files), _NEW, *_MESSAGE]),
    "speech_model_destroy": (None, [_HANDLE]),
    "transcriber_create": (_STATUS, [_HANDLE, ctypes.POINTER(_library.Options), _NEW, *_MESSAGE]),
    "transcriber_destroy": (None, [_HANDLE]),
    "transcribe_options_init": (None, [ctypes.POINTER(_Options)]),
    "transcribe": (
        _STATUS,
        [_HANDLE, _SAMPLES, _SIZE, ctypes.c_int32, ctypes.POINTER(_Options), _ON_TEXT, _ON_SEGMENT, _HANDLE, _NEW]
        + _MESSAGE,
    ),
    "transcriber_cancel": (None, [_HANDLE]),
    "transcript_text": (ctypes.c_void_p, [_HANDLE, ctypes.POINTER(_SIZE)]),
    "transcript_language": (_TEXT, [_HANDLE]),
    "transcript_segments": (_SIZE, [_HANDLE]),
    "transcript_segment": (None, [_HANDLE, _SIZE, ctypes.POINTER(_Segment)]),
    "transcript_result": (None, [_HANDLE, ctypes.POINTER(Figures)]),
    "transcript_destroy": (None, [_HANDLE]),
}

_library_of_text = _library.load("libmicrort_text.so", {f"micrort_text_{name}": types for name, types in _FUNCTIONS.items()})


def _function(name):
    return getattr(_library_of_text, f"micrort_text_{name}")


def read_audio(source):
    """The samples of a WAV file, by path or as bytes, and their rate."""
    handle = ctypes.c_void_p()
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        check(_function("audio_from_buffer"), data, len(data), ctypes.byref(handle))
    else:
        check(_function("audio_from_file"), c_text("audio", source), ctypes.byref(handle))
    try:
        count, rate = ctypes.c_size_t(), ctypes.c_int32()
        samples = _function("audio_samples")(handle, ctypes.byref(count), ctypes.byref(rate))
        return np.ctypeslib.as_array(samples, (count.value,)).copy(), rate.value
    finally:
        _function("audio_destroy")(handle)


class _Callback:
    """A Python function as a callback of C. What it raises ends the transcription, and is raised after that."""

    def __init__(self, function):
        self._function, self.error = function, None

    def __call__(self, *arguments):
        try:
            return int(self._function(*arguments) is False)
        except BaseException as error:  # nothing of Python goes through C
            self.error = error
            return 1


class TranscriberSession:
    def __init__(self, folder, files, threads, isa):
        self._lock = threading.Lock()  # one transcription at a time
        self._model, self._handle = ctypes.c_void_p(), ctypes.c_void_p()
        options = _library.new_options(threads, isa)
        weakref.finalize(self, _destroy_session, self._handle, self._model)
        if folder is not None:
            check(_function("speech_model_from_folder"), c_text("model", folder), ctypes.byref(self._model))
        else:
            given = _Files(struct_bytes=ctypes.sizeof(_Files))
            for name, path in files.items():
                setattr(given, name, None if path is None else c_text(name, path))
            check(_function("speech_model_from_files"), ctypes.byref(given), ctypes.byref(self._model))
        check(_function("transcriber_create"), self._model, ctypes.byref(options), ctypes.byref(self._handle))

    def transcribe(self, samples, rate, on_text, on_segment, *, language, prompt, **options):
        """Text, language, segments (begin, end, text, tokens) and figures."""
        samples = np.ascontiguousarray(samples, np.float32)
        given = _Options()
        _function("transcribe_options_init")(ctypes.byref(given))
        given.language = c_text("language", language)
        given.prompt = c_text("prompt", prompt)
        for name, value in options.items():
            setattr(given, name, value)
        call_text = _Callback(lambda _, piece, size: on_text(_text_at(piece, size)))
        call_segment = _Callback(lambda _, segment: on_segment(_read_segment(segment.contents)))
        callbacks = [
            _ON_TEXT(call_text) if on_text is not None else _ON_TEXT(),
            _ON_SEGMENT(call_segment) if on_segment is not None else _ON_SEGMENT(),
        ]
        handle = ctypes.c_void_p()
        data = samples.ctypes.data_as(_SAMPLES)
        arguments = [len(samples), integer("rate", rate, 0, 2**31 - 1), ctypes.byref(given), *callbacks, None]
        with self._lock:
            check(_function("transcribe"), self._handle, data, *arguments, ctypes.byref(handle))
        try:
            for callback in (call_text, call_segment):
                if callback.error is not None:
                    raise callback.error
            return _read_transcript(handle)
        finally:
            _function("transcript_destroy")(handle)

    def cancel(self):
        _function("transcriber_cancel")(self._handle)


def _text_at(address, size):
    return _library.text(ctypes.string_at(address, size))


def _read_segment(segment):
    tokens = segment.tokens[: segment.token_count]
    return segment.begin, segment.end, _text_at(segment.text, segment.text_bytes), tokens


def _read_transcript(handle):
    size = ctypes.c_size_t()
    text = _text_at(_function("transcript_text")(handle, ctypes.byref(size)), size.value)
    language = _library.text(_function("transcript_language")(handle))
    segments = []
    for index in range(_function("transcript_segments")(handle)):
        segment = _Segment()
        _function("transcript_segment")(handle, index, ctypes.byref(segment))
        segments.append(_read_segment(segment))
    figures = Figures()
    _function("transcript_result")(handle, ctypes.byref(figures))
    return text, language, segments, figures


def _destroy_session(transcriber, model):
    """A model must outlive its transcribers."""
    _function("transcriber_destroy")(transcriber)
    _function("speech_model_destroy")(model)
