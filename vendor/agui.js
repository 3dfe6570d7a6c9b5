import "./without_eval.js";

export { HttpAgent } from "@ag-ui/client";
