/* Definitions of ROS messages (.msg text, with those of nested types after lines of "="). The usual parser makes functions from
   text, which the policy of the pages forbids. */
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";

const PRIMITIVES = new Set(["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "string", "wstring", "time", "duration"]);
const FIELD = /^([A-Za-z][A-Za-z0-9_/]*)(<=\d+)?(\[(?:<=)?(\d*)\])?\s+([A-Za-z][A-Za-z0-9_]*)\s*(=(?!=)\s*(.*))?/;

export function parse(text: string, { ros2 = false }: { ros2?: boolean } = {}): MessageDefinition[] {
  const sections = text.split(/^={3,}\s*$/m).map((section, place) => {
    const lines = section.split(/\r?\n/), named = lines.findIndex((line) => line.startsWith("MSG:"));
    const name = named >= 0 ? short((lines[named] as string).slice(4).trim()) : "";
    if (place > 0 && !name) throw new Error(`part ${place + 1} of the definition has no name`);
    return { name, fields: lines.filter((_, i) => i !== named).flatMap((line) => field(line, ros2)) };
  });
  const names = sections.map(({ name }) => name).filter(Boolean);
  const full = (type: string, within: string): string => {
    if (PRIMITIVES.has(type)) return type;
    if (type === "Header") return "std_msgs/Header";
    if (type.includes("/")) return short(type);
    const own = `${within.split("/")[0]}/${type}`;
    return names.includes(own) ? own : names.find((name) => name.endsWith("/" + type)) ?? type;
  };
  return sections.map(({ name, fields }) => ({
    ...(name ? { name } : {}),
    definitions: fields.map((given) => {
      const type = full(given.type, name), time = /^builtin_interfaces\/(Time|Duration)$/.exec(type)?.[1]?.toLowerCase();
      return { ...given, type: time ?? type, isComplex: !time && !PRIMITIVES.has(type) };
    }),
  }));
}

function short(type: string): string { return type.replace("/msg/", "/"); }

function field(line: string, ros2: boolean): MessageDefinitionField[] {
  const bare = line.trim();
  if (!bare || bare.startsWith("#")) return [];
  const match = FIELD.exec(bare);
  if (!match) throw new Error(`it has the line '${bare.slice(0, 80)}'`);
  const [, type = "", , array, length, name = "", constant] = match;
  /* One word, two meanings: in ROS 1 a byte has a sign. */
  const plain = type === "char" ? "uint8" : type === "byte" ? (ros2 ? "uint8" : "int8") : type;
  if (constant !== undefined) return [{ type: plain, name, isConstant: true }];
  const fixed = array !== undefined && !array.startsWith("[<=") && length ? Number(length) : undefined;
  return [{ type: plain, name, ...(array !== undefined ? { isArray: true } : {}), ...(fixed !== undefined ? { arrayLength: fixed } : {}) }];
}
