/* Readers of recordings, as a file of its own: loaded where there is one to read. */
import { openRecording } from "../recording/recording";
import { provide } from "../viewer/parts";

provide("recording", { openRecording });
