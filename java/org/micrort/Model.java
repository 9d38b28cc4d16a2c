package org.micrort;

import java.nio.ByteBuffer;

/** A model file, which any number of interpreters on any number of threads may use. */
public final class Model implements AutoCloseable {
    private long handle;
    private int users = 1; // this object until it is closed, and each interpreter

    private Model(long handle) {
        this.handle = handle;
    }

    /** Maps the file, which must not change while the model is in use. */
    public static Model fromFile(String path) {
        return new Model(Native.modelFromFile(Text.bytes(path)));
    }

    /** Copies the rest of the buffer. */
    public static Model fromBytes(ByteBuffer bytes) {
        ByteBuffer direct = bytes;
        if (!bytes.isDirect()) {
            direct = ByteBuffer.allocateDirect(bytes.remaining());
            direct.put(bytes.duplicate()).flip();
        }
        return new Model(Native.modelFromBytes(direct, direct.position(), direct.remaining()));
    }

    /** As the file declares them. */
    public synchronized Tensor[] inputs() {
        return Native.modelInputs(acquire(), this);
    }

    /** Text of the file's metadata with this key; null if it has none. */
    public synchronized String metadata(String key) {
        final byte[] text = Native.modelMetadata(acquire(), Text.bytes(key), this);
        return text == null ? null : Text.of(text);
    }

    /** How the file says that pictures become inputs; null: it does not say. */
    public Pictures pictures() {
        return Pictures.parse(metadata(Pictures.key()));
    }

    /** Memory is given back when the last interpreter of the model is closed, too. */
    @Override
    public synchronized void close() {
        if (isOpen) {
            isOpen = false;
            release();
        }
    }

    private boolean isOpen = true;

    private synchronized long acquire() {
        if (!isOpen) throw new IllegalStateException("the model is closed");
        return handle;
    }

    synchronized long addUser() {
        final long open = acquire();
        ++users;
        return open;
    }

    synchronized void release() {
        if (--users > 0) return;
        Native.destroyModel(handle);
        handle = 0;
    }
}
