// A question that is answered on a slider; all but the form of its scale is as with points.

export { control, selected } from "./likert.js";
