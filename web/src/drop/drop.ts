/* The page for anybody's recording: it is read here, in the browser, and goes nowhere. */
import { fill, h, notice } from "../app/dom";
import { part } from "../viewer/parts";
import { Replay } from "../viewer/replay";
import { shownOf } from "./shown";

export function dropPage(main: HTMLElement, signal: AbortSignal): void {
  document.title = "Look at a recording · stressfield";
  const told = h("div", { "aria-live": "polite" }), view = h("div", {});
  const input = h("input", { type: "file", accept: ".mcap,.db3,.bag", "aria-label": "A recording", change: () => { const file = input.files?.[0]; if (file) void open(file); } });
  const zone = h("div", { class: "dropzone empty" }, h("p", {}, h("strong", {}, "Drop a recording here"), ", or choose one: ", input),
    h("p", { class: "soft small" }, "MCAP, rosbag2 (.mcap, .db3) or a bag of ROS 1. It is read in this browser and sent nowhere."));
  let replay: Replay | null = null, turn = 0;

  const open = async (file: File) => {
    const mine = ++turn;
    zone.classList.remove("empty");
    replay?.close();
    replay = null;
    fill(view);
    const bar = h("progress", { max: 1, value: 0, "aria-label": "Reading" });
    fill(told, h("p", {}, `Reading ${file.name} … `, bar));
    try {
      const { openRecording } = await part("recording");
      const recording = await openRecording(file, file.name, { progress: (share) => { bar.value = share; } });
      if (mine !== turn || signal.aborted) return;
      const { shown, placing, notes } = shownOf(recording), stage = h("div", {});
      const messages = recording.topics.reduce((sum, topic) => sum + topic.count, 0);
      fill(told, h("p", {}, h("strong", {}, file.name), `: ${recording.end.toFixed(1)} s, ${recording.topics.length} topics, ${messages.toLocaleString("en")} messages, ${(file.size / 1e6).toFixed(1)} MB`),
        ...notes.map((words) => notice(words)));
      fill(view, h("section", { "aria-label": "The recording" }, h("div", {}, stage)));
      replay = new Replay(stage, shown, { time: 0, name: file.name, placing, recording: () => Promise.resolve(recording), eager: true });
    } catch (error) {
      if (mine === turn && !signal.aborted) fill(told, notice(error instanceof Error ? error.message : String(error), "note alarm"));
    }
  };

  const over = (event: DragEvent) => { event.preventDefault(); zone.classList.add("over"); };
  document.addEventListener("dragover", over, { signal });
  document.addEventListener("dragleave", () => zone.classList.remove("over"), { signal });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const file = [...(event.dataTransfer?.files ?? [])].find((one) => /\.(mcap|db3|bag)$/i.test(one.name)) ?? event.dataTransfer?.files[0];
    if (file) void open(file);
  }, { signal });
  signal.addEventListener("abort", () => replay?.close());
  main.append(h("h1", {}, "Look at a recording"), zone, told, view);
}
