/* The view in space, as a file of its own: it is large, and loaded when somebody asks for it. */
import { provide } from "../viewer/parts";
import { Space } from "../viewer/space";

provide("space", { Space });
