// `weir-mcp`: an MCP server for assistants, on standard input and output.
import { readFileSync } from 'node:fs'
import { serveMcp } from './start.ts'

const { env } = process
const say = (line: string) => process.stderr.write(`weir-mcp: ${line}\n`)

/** A secret, or the content of the file that `NAME_FILE` names. */
function secretOf(name: string): string | undefined {
  const file = env[`${name}_FILE`]
  return env[name] || (file && readFileSync(file, 'utf8').trim()) || undefined
}

try {
  const apiKey = secretOf('WEIR_API_KEY')
  const serviceAccountSecret = secretOf('WEIR_SERVICE_ACCOUNT_SECRET')
  const baseUrl = env.WEIR_URL
  if (!baseUrl || (apiKey === undefined && serviceAccountSecret === undefined)) {
    throw new Error('set WEIR_URL, and WEIR_API_KEY or WEIR_SERVICE_ACCOUNT_SECRET (or a file: ..._FILE)')
  }
  await serveMcp({ baseUrl, apiKey, serviceAccountSecret, allowPlans: env.WEIR_MCP_ALLOW_PLANS === '1', say })
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}
