package org.micrort;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** An input or output. Elements are row-major. */
public final class Tensor {
    private final String name;
    private final DataType type;
    private final long[] shape;
    private final ByteBuffer data;
    private final float scale;
    private final int zeroPoint;
    private Interpreter owner; // null for inputs of a Model
    private int sizes; // of the owner, as it was when the tensor was asked for

    Tensor(byte[] name, int type, long[] shape, ByteBuffer data, float scale, int zeroPoint) {
        this.name = Text.of(name);
        this.type = DataType.of(type);
        this.shape = shape;
        this.data = data == null ? null : data.order(ByteOrder.nativeOrder());
        this.scale = scale;
        this.zeroPoint = zeroPoint;
    }

    Tensor of(Interpreter owner, int sizes) {
        this.owner = owner;
        this.sizes = sizes;
        return this;
    }

    public String name() {
        return name;
    }

    public DataType type() {
        return type;
    }

    /** Outermost first; -1 where a model leaves a dimension open. */
    public long[] shape() {
        return shape.clone();
    }

    /**
     * The interpreter's own memory, not a copy: written before each run, or read after it. Null for inputs of a {@link Model}.
     * After {@link Interpreter#resize} or {@link Interpreter#close} this is an IllegalStateException; buffers from before are not to be
     * used any more.
     */
    public ByteBuffer data() {
        if (owner != null) owner.check(name, sizes);
        return data;
    }

    /** The same, of FLOAT32. */
    public FloatBuffer floats() {
        if (type != DataType.FLOAT32) throw new IllegalStateException("tensor '" + name + "' is " + type + ", not FLOAT32");
        final ByteBuffer bytes = data();
        if (bytes == null) throw new IllegalStateException("tensor '" + name + "' of a model has no data; an interpreter's has");
        return bytes.asFloatBuffer();
    }

    /** real = scale * (q - zeroPoint); 0 if the tensor is not quantized as a whole. */
    public float scale() {
        return scale;
    }

    public int zeroPoint() {
        return zeroPoint;
    }
}
