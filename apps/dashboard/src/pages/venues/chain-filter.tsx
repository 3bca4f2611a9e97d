import { useUrl } from '../../lib/page/use-url.ts'
import { UrlFilter } from '../../parts/tables/url-filter.tsx'
import { chainName } from '../../parts/values.tsx'

const CHAINS = ['ethereum', 'polygon', 'base', 'solana'] as const

/** The chain that the address names; undefined for all. */
export function useChain(): (typeof CHAINS)[number] | undefined {
  const [url] = useUrl()
  return CHAINS.find((chain) => chain === url.chain)
}

export const ChainFilter = () => (
  <UrlFilter label="Chain" placeholder="All chains" choices={CHAINS} name="chain" labelOf={chainName} />
)
