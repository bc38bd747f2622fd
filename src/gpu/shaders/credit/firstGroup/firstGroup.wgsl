// Where a dispatch, or a piece of one, begins: added to the workgroup of every invocation. Linked after every kernel that
// knows its workgroup, see cut.ts.
@group(1) @binding(0) var<uniform> firstGroup : vec3u;
