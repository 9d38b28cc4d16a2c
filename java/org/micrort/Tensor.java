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

    Tensor(byte[] name, int type, long[] shape, ByteBuffer data, float scale, int zeroPoint) {
        this.name = Text.of(name);
        this.type = DataType.of(type);
        this.shape = shape;
        this.data = data == null ? null : data.order(ByteOrder.nativeOrder());
        this.scale = scale;
        this.zeroPoint = zeroPoint;
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
     * The interpreter's own memory, not a copy: written before each run, or read after it. Not to be used after {@link
     * Interpreter#resize} or {@link Interpreter#close}. Null for inputs of a {@link Model}.
     */
    public ByteBuffer data() {
        return data;
    }

    /** The same, of FLOAT32. */
    public FloatBuffer floats() {
        if (type != DataType.FLOAT32) throw new IllegalStateException("tensor '" + name + "' is " + type + ", not FLOAT32");
        return data.asFloatBuffer();
    }

    /** real = scale * (q - zeroPoint); 0 if the tensor is not quantized as a whole. */
    public float scale() {
        return scale;
    }

    public int zeroPoint() {
        return zeroPoint;
    }
}
