#!/usr/bin/env node
// `weir-mcp`, for clients that start an MCP server as a process. Its code is TypeScript, which needs Node 24.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`weir-mcp: this is Node ${process.version}; install Node 24 or newer\n`)
  process.exit(2)
}
await import('./src/main.ts')
