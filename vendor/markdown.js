export { default as DOMPurify } from "dompurify";
export { Marked } from "marked";
