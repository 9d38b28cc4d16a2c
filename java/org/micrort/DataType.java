package org.micrort;

/** Types of elements. */
public enum DataType {
    FLOAT32(1), FLOAT16(2), INT8(3), UINT8(4), INT16(5), UINT16(6), INT32(7), UINT32(8), INT64(9), UINT64(10), FLOAT64(11),
    BOOL(12), BFLOAT16(13), INT4(14);

    private final int code; // micrort_dtype

    DataType(int code) {
        this.code = code;
    }

    static DataType of(int code) {
        for (DataType type : values()) {
            if (type.code == code) return type;
        }
        throw new IllegalArgumentException("unknown type " + code);
    }
}
