import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.
 *
 * <p>A value is a Long, a byte[], a List of values, or a Map from byte[] to values. In JSON it is one of
 * {"int": "7"}, {"str": "6869"} with bytes in hex, {"list": [value, ...]} and {"dict": [["6869", value], ...]}.
 */
final class Bt {
    private Bt() {}

    /** The protocol refuses the input. */
    static final class Rejected extends RuntimeException {
        private static final long serialVersionUID = 1;

        Rejected(String reason) {
            super(reason);
        }
    }

    private static final int DEEPEST = 100; // lists and dicts in one another (CM-BT-DEPTH)

    static String toHex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static byte[] fromHex(Object text) {
        return HexFormat.of().parseHex((String) text);
    }

    /** Returns an empty dict, which compares its keys as sequences of unsigned bytes. */
    static Map<byte[], Object> newDict() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    /**
     * Returns the value of a typed value in JSON. It rejects an integer of more than 64 bits, depth, and a dict
     * with a key twice.
     */
    static Object fromJson(Object typed) {
        return fromJson(typed, 1);
    }

    private static Object fromJson(Object typed, int depth) {
        Map.Entry<?, ?> only = ((Map<?, ?>) typed).entrySet().iterator().next();
        Object content = only.getValue();
        if (only.getKey().equals("int")) {
            try {
                return Long.valueOf((String) content);
            } catch (NumberFormatException fault) {
                throw new Rejected("the integer " + content + " does not fit into 64 bits");
            }
        } else if (only.getKey().equals("str")) {
            return fromHex(content);
        } else if (depth > DEEPEST) {
            throw new Rejected("more than " + DEEPEST + " lists and dicts in one another");
        } else if (only.getKey().equals("list")) {
            List<Object> items = new ArrayList<>();
            for (Object item : (List<?>) content) {
                items.add(fromJson(item, depth + 1));
            }
            return items;
        }
        Map<byte[], Object> fields = newDict();
        for (Object pair : (List<?>) content) {
            Object key = ((List<?>) pair).get(0);
            Object item = fromJson(((List<?>) pair).get(1), depth + 1);
            if (fields.put(fromHex(key), item) != null) {
                throw new Rejected("the key " + key + " occurs twice");
            }
        }
        return fields;
    }

    /** Returns a value as a typed value in JSON. */
    static Map<String, Object> toJson(Object value) {
        if (value instanceof Long number) {
            return Map.of("int", number.toString());
        } else if (value instanceof byte[] bytes) {
            return Map.of("str", toHex(bytes));
        }
        List<Object> parts = new ArrayList<>();
        if (value instanceof List<?> items) {
            items.forEach(item -> parts.add(toJson(item)));
            return Map.of("list", parts);
        }
        ((Map<?, ?>) value).forEach((key, item) -> parts.add(List.of(toHex((byte[]) key), toJson(item))));
        return Map.of("dict", parts);
    }

    /** Returns the bt-encoding of a value. */
    static byte[] encode(Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out, value);
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, Object value) {
        if (value instanceof Long number) {
            out.writeBytes(("i" + number + "e").getBytes(StandardCharsets.US_ASCII));
        } else if (value instanceof byte[] bytes) {
            out.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(bytes);
        } else if (value instanceof List<?> items) {
            out.write('l');
            items.forEach(item -> write(out, item));
            out.write('e');
        } else {
            out.write('d');
            ((Map<?, ?>) value).forEach((key, item) -> {
                write(out, key);
                write(out, item);
            });
            out.write('e');
        }
    }
}
