/* The same page as one file. */
import { dropPage } from "./drop";

dropPage(document.querySelector("main") as HTMLElement, new AbortController().signal);
