/* The player in the one-file report: its page finds it under this name. */
import { Replay } from "./viewer/replay";

(globalThis as unknown as { Replay: typeof Replay }).Replay = Replay;
