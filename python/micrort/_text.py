"""The C interface of text (micrort/text/text_c.h), by ctypes. What users call is in text.py."""

import ctypes
import threading
import weakref

from micrort import _library
from micrort._library import c_text, check, integer
from micrort._session import AlignedCopy

_REASONS = ("length", "end_token", "stop_word", "callback")


class _Options(ctypes.Structure):
    _fields_ = [
        ("struct_bytes", ctypes.c_size_t),
        ("max_tokens", ctypes.c_int32),
        ("temperature", ctypes.c_float),
        ("top_k", ctypes.c_int32),
        ("top_p", ctypes.c_float),
        ("min_p", ctypes.c_float),
        ("repetition_penalty", ctypes.c_float),
        ("presence_penalty", ctypes.c_float),
        ("frequency_penalty", ctypes.c_float),
        ("seed", ctypes.c_uint64),
        ("stop_words", ctypes.POINTER(ctypes.c_char_p)),
        ("stop_word_count", ctypes.c_size_t),
        ("ignore_end", ctypes.c_int32),
        ("no_special", ctypes.c_int32),
        ("chat", ctypes.c_char_p),
        ("system", ctypes.c_char_p),
    ]


class _Message(ctypes.Structure):
    _fields_ = [("role", ctypes.c_char_p), ("text", ctypes.c_char_p)]


class _Result(ctypes.Structure):
    _fields_ = [
        ("reason", ctypes.c_int),
        ("prompt_tokens", ctypes.c_size_t),
        ("tokens", ctypes.c_size_t),
        ("prefill_seconds", ctypes.c_double),
        ("decode_seconds", ctypes.c_double),
    ]


_SIZE, _STATUS, _HANDLE, _TEXT = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
_TOKENS, _NEW = ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(ctypes.c_void_p)
_MESSAGE = [ctypes.c_char_p, ctypes.c_size_t]
_FOUND = [_TOKENS, _SIZE, ctypes.POINTER(_SIZE), *_MESSAGE]

_FUNCTIONS = {
    "model_from_files": (_STATUS, [_TEXT, _TEXT, _NEW, *_MESSAGE]),
    "model_from_buffers": (_STATUS, [_HANDLE, _SIZE, _TEXT, _SIZE, _NEW, *_MESSAGE]),
    "tokenizer_from_file": (_STATUS, [_TEXT, _NEW, *_MESSAGE]),
    "tokenizer_from_buffer": (_STATUS, [_TEXT, _SIZE, _NEW, *_MESSAGE]),
    "model_destroy": (None, [_HANDLE]),
    "generator_create": (_STATUS, [_HANDLE, ctypes.POINTER(_library.Options), _NEW, *_MESSAGE]),
    "generator_destroy": (None, [_HANDLE]),
    "options_init": (None, [ctypes.POINTER(_Options)]),
    "encode": (_STATUS, [_HANDLE, _TEXT, ctypes.c_int32, *_FOUND]),
    "encode_chat": (_STATUS, [_HANDLE, _TEXT, ctypes.POINTER(_Message), _SIZE, *_FOUND]),
    "begin": (_STATUS, [_HANDLE, _TOKENS, _SIZE, ctypes.POINTER(_Options), _NEW, *_MESSAGE]),
    "step": (_STATUS, [_HANDLE, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(_SIZE), *_MESSAGE]),
    "has_ended": (ctypes.c_int32, [_HANDLE]),
    "stop": (None, [_HANDLE]),
    "answer_result": (None, [_HANDLE, ctypes.POINTER(_Result)]),
    "answer_tokens": (_TOKENS, [_HANDLE]),
    "answer_destroy": (None, [_HANDLE]),
    "cancel": (None, [_HANDLE]),
    "length": (_SIZE, [_HANDLE]),
    "truncate": (_STATUS, [_HANDLE, _SIZE, *_MESSAGE]),
    "reset": (None, [_HANDLE]),
}

_library_of_text = _library.load("libmicrort_text.so", {f"micrort_text_{name}": types for name, types in _FUNCTIONS.items()})


def _function(name):
    return getattr(_library_of_text, f"micrort_text_{name}")


class TokenizerSession:
    """A tokenizer alone, from a path or bytes, and the other None."""

    def __init__(self, source):
        self._handle = ctypes.c_void_p()
        path, data = source
        if path is not None:
            check(_function("tokenizer_from_file"), c_text("tokenizer", path), ctypes.byref(self._handle))
        else:
            check(_function("tokenizer_from_buffer"), data, len(data), ctypes.byref(self._handle))
        weakref.finalize(self, _function("model_destroy"), self._handle)

    def encode(self, text, add_special):
        return _tokens("encode", self._handle, c_text("text", text), int(add_special), room=len(text))


class TextAnswer:
    """One answer in the making; it keeps its session."""

    def __init__(self, session, handle):
        self._session, self._handle = session, handle
        weakref.finalize(self, _destroy_answer, handle, session)

    def step(self):
        """The next piece of text, "" if it is not certain yet. InvalidArgumentError once another answer has begun."""
        piece, size = ctypes.c_char_p(), ctypes.c_size_t()
        with self._session.lock:
            check(_function("step"), self._handle, ctypes.byref(piece), ctypes.byref(size))
            return _library.text(ctypes.string_at(piece, size.value))

    def stop(self):
        _function("stop")(self._handle)

    @property
    def has_ended(self):
        return _function("has_ended")(self._handle) != 0

    @property
    def _result(self):
        result = _Result()
        _function("answer_result")(self._handle, ctypes.byref(result))
        return result

    @property
    def tokens(self):
        with self._session.lock:  # a step of another thread moves them
            return _function("answer_tokens")(self._handle)[: self._result.tokens]

    @property
    def reason(self):
        return _REASONS[self._result.reason]

    @property
    def prompt_tokens(self):
        return self._result.prompt_tokens

    @property
    def prefill_seconds(self):
        return self._result.prefill_seconds

    @property
    def decode_seconds(self):
        return self._result.decode_seconds


class TextSession:
    """A decoder and its tokenizer. Each source is a path or bytes, and the other None."""

    def __init__(self, model, tokenizer, threads, isa):
        self.lock = threading.Lock()  # one run at a time
        self._model, self._handle = ctypes.c_void_p(), ctypes.c_void_p()
        options = _library.new_options(threads, isa)
        memory = self._load(model, tokenizer)
        weakref.finalize(self, _destroy_session, self._handle, self._model, memory)
        check(_function("generator_create"), self._model, ctypes.byref(options), ctypes.byref(self._handle))

    def _load(self, model, tokenizer):
        """Returns what must live as long as the model."""
        if model[0] is not None and tokenizer[0] is not None:
            paths = c_text("model", model[0]), c_text("tokenizer", tokenizer[0])
            check(_function("model_from_files"), *paths, ctypes.byref(self._model))
            return None
        memory = AlignedCopy(_content(model))
        read = _content(tokenizer)
        buffers = memory.address, memory.size, read, len(read)
        check(_function("model_from_buffers"), *buffers, ctypes.byref(self._model))
        return memory

    def encode(self, prompt, add_special):
        return _tokens("encode", self._model, c_text("prompt", prompt), int(add_special), room=len(prompt))

    def encode_chat(self, family, messages):
        turns = (_Message * max(len(messages), 1))()
        for turn, (role, content) in zip(turns, messages):
            turn.role, turn.text = c_text("role", role), c_text("content", content)
        room = sum(len(content) for _, content in messages)
        return _tokens("encode_chat", self._model, c_text("chat", family), turns, len(messages), room=room)

    def begin(self, prompt, *, stop, **options):
        given = _Options()
        _function("options_init")(ctypes.byref(given))
        for name, value in options.items():
            setattr(given, name, value)
        words = (ctypes.c_char_p * max(len(stop), 1))(*[c_text("stop", word) for word in stop])
        given.stop_words, given.stop_word_count = words, len(stop)
        tokens = (ctypes.c_int32 * max(len(prompt), 1))(*prompt)
        handle = ctypes.c_void_p()
        with self.lock:
            check(_function("begin"), self._handle, tokens, len(prompt), ctypes.byref(given), ctypes.byref(handle))
        return TextAnswer(self, handle)

    def cancel(self):
        _function("cancel")(self._handle)

    def reset(self):
        with self.lock:
            _function("reset")(self._handle)

    def truncate(self, length):
        with self.lock:
            check(_function("truncate"), self._handle, integer("length", length, 0, 2**64 - 1))

    @property
    def length(self):
        return _function("length")(self._handle)


def _content(source):
    path, data = source
    return data if data is not None else _library.read_file(path)


def _tokens(name, *arguments, room):
    """Texts rarely have more tokens than characters; where one has, it is read again."""
    count = ctypes.c_size_t(room + 64)
    while True:
        tokens = (ctypes.c_int32 * count.value)()
        check(_function(name), *arguments, tokens, len(tokens), ctypes.byref(count))
        if count.value <= len(tokens):
            return tokens[: count.value]


def _destroy_answer(handle, session):
    """The session must outlive the answer."""
    _function("answer_destroy")(handle)


def _destroy_session(generator, model, memory):
    """What a model is read from must outlive it."""
    _function("generator_destroy")(generator)
    _function("model_destroy")(model)
