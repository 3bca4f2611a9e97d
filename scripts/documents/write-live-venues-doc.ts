// Writes docs/live-venues.md from the live catalogue. A test compares the two.
import { writeFileSync } from 'node:fs'
import { BLOCKCHAINS } from '../../apps/server/src/chains/index.ts'
import { liveSeeds } from '../../apps/server/src/venues/catalogue/live-seeds.ts'
import { venueAddress } from '../../apps/server/src/venues/venue-address.ts'

const file = new URL('../../docs/live-venues.md', import.meta.url)

/** What a strategy's address is, by protocol. */
const CONTRACTS: Readonly<Record<string, string>> = {
  'aave-v3': 'pool',
  'compound-v3': 'Comet',
  erc4626: 'vault',
  kamino: 'reserve',
  'jupiter-lend': 'market',
}

/** The expected content of docs/live-venues.md. */
export function liveVenuesDocument(): string {
  const rows = liveSeeds(BLOCKCHAINS).flatMap(({ name, protocol, blockchain, strategies }) =>
    strategies.map((strategy) => {
      const contract = CONTRACTS[protocol]
      if (contract === undefined)
        throw new Error(`scripts/documents/write-live-venues-doc.ts has no word for ${protocol}`)
      return `| ${blockchain} | ${name} | ${strategy.name} | ${strategy.token} | ${contract} \`${venueAddress(strategy)}\` |`
    }),
  )
  return `# Live venues

<!-- about: The vaults, pools and contracts that live uses, with their addresses. -->

<!-- Written by scripts/documents/write-live-venues-doc.ts from apps/server/src/venues/catalogue. -->

Which vaults, pools and addresses does live use? These, on the chains that have an RPC endpoint, and those that [you
add](venues.md). Every start asks each contract for its token and compares it. \`live-seeds.ts\` has the sources;
\`GET /v1/venues\` returns what a service lists, [risks](risk.md) the facts about each.

| Blockchain | Venue | Strategy | Token | Contract |
|---|---|---|---|---|
${rows.join('\n')}

On Polygon, USDC is Circle's, not the bridged \`USDC.e\`. The [agent](agent.md#what-does-it-verify) has its own list,
which \`weir agent allow-list\` prints.
`
}

if (import.meta.main) writeFileSync(file, liveVenuesDocument())
