// `weir-mcp`: an MCP server for assistants, on standard input and output.
import { readFileSync } from 'node:fs'
import { serveMcp } from './start.ts'

const { WEIR_URL, WEIR_API_KEY, WEIR_API_KEY_FILE, WEIR_MCP_ALLOW_PLANS } = process.env
const say = (line: string) => process.stderr.write(`weir-mcp: ${line}\n`)

try {
  const apiKey = WEIR_API_KEY || (WEIR_API_KEY_FILE && readFileSync(WEIR_API_KEY_FILE, 'utf8').trim())
  if (!WEIR_URL || !apiKey) throw new Error('set WEIR_URL, and WEIR_API_KEY or WEIR_API_KEY_FILE')
  await serveMcp({ baseUrl: WEIR_URL, apiKey, allowPlans: WEIR_MCP_ALLOW_PLANS === '1', say })
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}
