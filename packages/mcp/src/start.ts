import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Weir } from '../../sdk/src/index.ts'
import { createServer } from './create-server.ts'
import { readKeyFacts, requireServiceAccount, warningOfRole, warningsOf, whyNoPlans } from './key-facts.ts'

export interface McpSettings {
  readonly baseUrl: string
  /** For v1; this or the secret is set. */
  readonly apiKey: string | undefined
  /** Of a service account, for core. */
  readonly serviceAccountSecret: string | undefined
  /** Whether the person allowed plans: WEIR_MCP_ALLOW_PLANS=1. */
  readonly allowPlans: boolean
  /** Says something to the person who configured this; standard output belongs to the protocol. */
  readonly say: (line: string) => void
}

/** Begins to serve MCP on standard input and output, until input ends. Throws a sentence for people if it cannot. */
export async function serveMcp(settings: McpSettings): Promise<void> {
  const { baseUrl, apiKey, serviceAccountSecret: accessToken, say } = settings
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const weir = new Weir({
    baseUrl,
    ...(apiKey && { apiKey }),
    ...(accessToken && { accessToken }),
    headers: { 'user-agent': `weir-mcp/${version}` },
  })
  const tooMuch = accessToken && warningOfRole(await requireServiceAccount(weir))
  if (tooMuch) say(tooMuch)
  const why = apiKey ? await reasonAgainstPlans(weir, settings) : 'there is no API key'
  say(why === undefined ? 'plans are offered; a person must sign them' : `plans are not offered: ${why}`)
  const has = { key: apiKey !== undefined, serviceAccount: accessToken !== undefined }
  serveStdio(() => createServer({ weir, version, has, plans: why === undefined }), {
    onerror: ({ message }) => say(message),
  })
}

async function reasonAgainstPlans(weir: Weir, { allowPlans, say }: McpSettings): Promise<string | undefined> {
  const facts = await readKeyFacts(weir)
  for (const warning of warningsOf(facts, allowPlans)) say(warning)
  return whyNoPlans(facts, allowPlans)
}
