// `weir-mcp`: an MCP server for assistants, on standard input and output.
import { readFileSync } from 'node:fs'
import { serveMcp } from './start.ts'

const USAGE = `weir-mcp  an MCP server on standard input and output; also weir mcp

  WEIR_URL                     address of the service
  WEIR_API_KEY                 an organization's API key that reads
  WEIR_SERVICE_ACCOUNT_SECRET  the secret of a service account, for core
  WEIR_MCP_ALLOW_PLANS         1: with a key that cannot submit, it also plans

One of the two credentials is enough; with _FILE at its name's end it is read from a file. A service explains more under
/docs/assistants.`

const { env } = process
const say = (line: string) => process.stderr.write(`weir-mcp: ${line}\n`)

/** A secret, or the content of the file that `NAME_FILE` names. */
function secretOf(name: string): string | undefined {
  const file = env[`${name}_FILE`]
  return env[name] || (file && readFileSync(file, 'utf8').trim()) || undefined
}

/** Serves until the client closes its input. Throws what ended it. */
async function serve(): Promise<void> {
  const apiKey = secretOf('WEIR_API_KEY')
  const serviceAccountSecret = secretOf('WEIR_SERVICE_ACCOUNT_SECRET')
  const baseUrl = env.WEIR_URL
  if (!baseUrl || (apiKey === undefined && serviceAccountSecret === undefined)) {
    throw new Error('set WEIR_URL, and WEIR_API_KEY or WEIR_SERVICE_ACCOUNT_SECRET (or a file: ..._FILE)')
  }
  await serveMcp({ baseUrl, apiKey, serviceAccountSecret, allowPlans: env.WEIR_MCP_ALLOW_PLANS === '1', say })
}

try {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) process.stdout.write(`${USAGE}\n`)
  else await serve()
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}
