import type { Schema } from '../../api/types.ts'
import { chainName } from '../../parts/values.tsx'

export const LIMITS = '/api/core/deposit-limits'
export type Limits = Schema<'DepositLimits'>
export type Cap = Limits['caps'][number]

/** A strategy with the names that a cap can have. */
export interface Listed {
  readonly strategyId: number
  readonly name: string
  readonly token: string
  readonly venue: string
  readonly protocol: string
  readonly blockchain: string
}

export const KINDS = { strategy: 'Strategy', protocol: 'Protocol', blockchain: 'Chain' } as const satisfies Record<
  Cap['kind'],
  string
>

export const labelOf = ({ name, token, blockchain }: Listed): string => `${name} (${token}, ${chainName(blockchain)})`

/** What a cap of this kind can be of. */
export function choicesOf(kind: Cap['kind'], listed: readonly Listed[]): { value: string; label: string }[] {
  switch (kind) {
    case 'strategy':
      return listed.map((each) => ({ value: String(each.strategyId), label: labelOf(each) }))
    case 'protocol':
      return [...new Set(listed.map(({ protocol }) => protocol))].map((value) => ({ value, label: value }))
    case 'blockchain':
      return [...new Set(listed.map(({ blockchain }) => blockchain))].map((value) => ({
        value,
        label: chainName(value),
      }))
  }
}

/** The name of what a cap counts; the service also takes names that are not offered here. */
export const nameOf = ({ kind, of }: Cap, listed: readonly Listed[]): string =>
  choicesOf(kind, listed).find(({ value }) => value === of)?.label ?? of

export const SHARES = [
  {
    field: 'maxPoolShare',
    label: 'Share of a pool',
    description: 'Your position may be at most this share of a strategy’s TVL.',
    suggestion: '10',
  },
  {
    field: 'maxLiquidityShare',
    label: 'Share of the liquidity',
    description: 'A position may be at most this share of what all depositors could withdraw, where that is known.',
    suggestion: '50',
  },
  {
    field: 'maxPriceFall',
    label: 'Price fall',
    description: 'No deposit while the share price is more than this below its highest daily reading in 30 days.',
    suggestion: '1',
  },
  {
    field: 'minWithdrawableShare',
    label: 'Withdrawable',
    description: 'No deposit while less than this share of the position could be withdrawn.',
    suggestion: '90',
  },
] as const
