import { BLOCKCHAINS } from '../../chains/index.ts'
import { liveSeeds } from '../catalogue/live-seeds.ts'
import type { Strategy } from '../port.ts'
import { EMBEDDED_FACT_SHEETS } from './embedded-fact-sheets.ts'
import type { FactSheet } from './fact-sheet.ts'
import { LIVE_FACT_SHEETS } from './live-fact-sheets.ts'

type Provider = keyof typeof LIVE_FACT_SHEETS

const isProvider = (name: string): name is Provider => Object.hasOwn(LIVE_FACT_SHEETS, name)

/** Live strategies by the contract that holds deposits: a key alone says nothing about the contract behind it. */
const LIVE = new Map<string, FactSheet>(
  liveSeeds(BLOCKCHAINS).flatMap(({ key, protocol, blockchain, strategies }) => {
    // `erc4626:ethereum:morpho`, `aave-v3:polygon`
    const provider = protocol === 'erc4626' ? key.split(':').at(-1)! : protocol
    const name = [`${provider}:${blockchain}`, provider].find(isProvider)
    return name
      ? strategies.map(({ params }) => [contractKey(blockchain, params), LIVE_FACT_SHEETS[name]] as const)
      : []
  }),
)

/**
 * What is known about a strategy; `null`: nothing, which is a fact too. `embedded`: whether its chain is one of the
 * embedded ones.
 */
export function factSheetOf(
  { blockchain, protocol, params }: Pick<Strategy, 'blockchain' | 'protocol' | 'params'>,
  embedded: boolean,
): FactSheet | null {
  if (embedded) return EMBEDDED_FACT_SHEETS[protocol] ?? null
  return LIVE.get(contractKey(blockchain, params)) ?? null
}

function contractKey(
  blockchain: string,
  { vault, pool, reserve, comet, lending }: Readonly<Record<string, string>>,
): string {
  return `${blockchain} ${vault ?? reserve ?? comet ?? lending ?? pool}`
}
