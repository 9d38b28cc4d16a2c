package org.micrort;

import java.nio.charset.StandardCharsets;

/** Names of a model are any bytes: what is no UTF-8 becomes the replacement character. */
final class Text {
    private Text() {}

    static String of(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
