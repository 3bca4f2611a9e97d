import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Weir } from '../../sdk/src/index.ts'
import { createServer } from './create-server.ts'
import { readKeyFacts, warningsOf, whyNoPlans } from './key-facts.ts'

export interface McpSettings {
  readonly baseUrl: string
  readonly apiKey: string
  /** Whether the person allowed plans: WEIR_MCP_ALLOW_PLANS=1. */
  readonly allowPlans: boolean
  /** Says something to the person who configured this; standard output belongs to the protocol. */
  readonly say: (line: string) => void
}

/** Begins to serve MCP on standard input and output, until input ends. Throws a sentence for people if it cannot. */
export async function serveMcp({ baseUrl, apiKey, allowPlans, say }: McpSettings): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const weir = new Weir({ baseUrl, apiKey, headers: { 'user-agent': `weir-mcp/${version}` } })
  const facts = await readKeyFacts(weir)
  for (const warning of warningsOf(facts, allowPlans)) say(warning)
  const why = whyNoPlans(facts, allowPlans)
  say(why === undefined ? 'plans are offered; a person must sign them' : `plans are not offered: ${why}`)
  serveStdio(() => createServer({ weir, version, plans: why === undefined }), {
    onerror: ({ message }) => say(message),
  })
}
