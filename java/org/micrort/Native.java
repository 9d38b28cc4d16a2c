package org.micrort;

import java.nio.ByteBuffer;

/** The library's C interface, by java/native.cpp. Handles are addresses; errors are MicroRTException. */
final class Native {
    static {
        System.loadLibrary("micrort_jni");
    }

    private Native() {}

    static native long modelFromFile(byte[] path);

    static native long modelFromBytes(ByteBuffer direct, int offset, int bytes);

    /** `keep` stays reachable meanwhile. */
    static native Tensor[] modelInputs(long model, Model keep);

    /** Null where the file has none with this key. */
    static native byte[] modelMetadata(long model, byte[] key, Model keep);

    static native void destroyModel(long model);

    static native long createInterpreter(long model, int threads, byte[] isa, boolean keepInputs, long[][] shapes);

    static native void destroyInterpreter(long interpreter);

    static native int inputCount(long interpreter);

    static native int outputCount(long interpreter);

    static native Tensor input(long interpreter, int index);

    static native Tensor output(long interpreter, int index);

    static native Tensor inputNamed(long interpreter, byte[] name);

    static native Tensor outputNamed(long interpreter, byte[] name);

    /** Without end for 0 microseconds. */
    static native void run(long interpreter, long microseconds);

    static native void cancel(long interpreter);

    static native void resize(long interpreter, long[][] shapes);

    static native void resetState(long interpreter);

    static native long arenaBytes(long interpreter);

    static native byte[] isa(long interpreter);
}
