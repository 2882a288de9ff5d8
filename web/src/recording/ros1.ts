/* Messages of ROS 1, decoded field by field: little-endian, nothing aligned, lengths before arrays and texts. */
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";

const SIZES: Record<string, number> = { bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4, int64: 8, uint64: 8, float64: 8, time: 8, duration: 8 };

export class MessageReader {
  private readonly types: Map<string, MessageDefinitionField[]>;
  private readonly root: MessageDefinitionField[];

  constructor(definitions: MessageDefinition[]) {
    this.types = new Map(definitions.map(({ name, definitions: fields }) => [name ?? "", fields]));
    this.root = definitions[0]?.definitions ?? [];
  }

  readMessage(data: Uint8Array): unknown {
    return new Cursor(this.types, new DataView(data.buffer, data.byteOffset, data.byteLength)).message(this.root);
  }
}

class Cursor {
  private place = 0;

  constructor(private readonly types: Map<string, MessageDefinitionField[]>, private readonly view: DataView) {}

  message(fields: MessageDefinitionField[]): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const field of fields) if (!field.isConstant) made[field.name] = field.isArray ? this.array(field) : this.value(field.type);
    return made;
  }

  private array(field: MessageDefinitionField): unknown {
    const count = field.arrayLength ?? this.count(), size = SIZES[field.type] ?? 0;
    if (this.place + count * Math.max(size, size ? 1 : 0) > this.view.byteLength || count > this.view.byteLength) throw new RangeError(`an array of ${count} does not fit`);
    if (field.type === "uint8") return new Uint8Array(this.view.buffer, this.view.byteOffset + this.skip(count), count);
    return Array.from({ length: count }, () => this.value(field.type));
  }

  private skip(bytes: number): number {
    const before = this.place;
    this.place += bytes;
    return before;
  }

  private count(): number { return this.view.getUint32(this.skip(4), true); }

  private value(type: string): unknown {
    const { view } = this, fields = this.types.get(type);
    if (fields) return this.message(fields);
    if (type === "string") {
      const count = this.count(), at = this.skip(count);
      return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, count));
    }
    const size = SIZES[type];
    if (!size) throw new Error(`the type '${type}' is not known`);
    const at = this.skip(size);
    switch (type) {
      case "bool": return view.getUint8(at) !== 0;
      case "int8": return view.getInt8(at);
      case "uint8": return view.getUint8(at);
      case "int16": return view.getInt16(at, true);
      case "uint16": return view.getUint16(at, true);
      case "int32": return view.getInt32(at, true);
      case "uint32": return view.getUint32(at, true);
      case "float32": return view.getFloat32(at, true);
      case "float64": return view.getFloat64(at, true);
      case "int64": return view.getBigInt64(at, true);
      case "uint64": return view.getBigUint64(at, true);
      case "time": return { sec: view.getUint32(at, true), nsec: view.getUint32(at + 4, true) };
      default: return { sec: view.getInt32(at, true), nsec: view.getInt32(at + 4, true) };
    }
  }
}
