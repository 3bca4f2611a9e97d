import type { MovePurpose, OperationType } from '../../database/index.ts'
import { largestFirst } from './crumbs.ts'

/** What was requested back from a strategy and is not claimed. Amounts in base units. */
export interface FundsInTransit {
  readonly strategyId: number
  readonly name: string
  readonly pending: bigint
  readonly claimable: bigint
  /** Why it cannot be claimed at present, as a text for people; `null`: it can. */
  readonly excluded: string | null
}

export interface PlannedMove {
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly strategyId: number
  readonly strategyName: string
  /** Base units; `null`: the whole position. */
  readonly amount: bigint | null
  /** Base units that the move transfers. */
  readonly worth: bigint
  readonly purpose: MovePurpose
  /** Fetches a part of this awaited withdrawal. */
  readonly awaitedId?: number
  readonly why: string
}

/** What a strategy may refuse apart from the rest: a claim is a different call than a withdrawal. */
export type MoveKind = OperationType | 'CLAIM'

export const kindOf = <Type extends OperationType>({
  type,
  purpose,
}: {
  readonly type: Type
  readonly purpose: MovePurpose
}): Type | 'CLAIM' => (purpose === 'claim' ? 'CLAIM' : type)

/**
 * Claims everything that can be claimed, the largest first: it earns nothing where it is. Anybody can request a crumb for somebody else's
 * wallet, again and again, so a crumb delays no other move, and is claimed once the rest of its exit is claimable too.
 */
export function planClaims({ exits, dust }: { readonly exits: readonly FundsInTransit[]; readonly dust: bigint }): {
  readonly claims: readonly PlannedMove[]
  readonly crumbs: readonly PlannedMove[]
} {
  const possible = exits.filter(({ claimable, excluded }) => claimable > 0n && excluded === null)
  const isCrumb = ({ claimable }: FundsInTransit) => claimable < dust
  return {
    claims: claimsOf(possible.filter((exit) => !isCrumb(exit))),
    crumbs: claimsOf(possible.filter((exit) => isCrumb(exit) && exit.pending === 0n)),
  }
}

function claimsOf(exits: readonly FundsInTransit[]): PlannedMove[] {
  return largestFirst(exits, 'claimable').map(({ strategyId, name, claimable }) => ({
    type: 'UNWIND',
    strategyId,
    strategyName: name,
    amount: null,
    worth: claimable,
    purpose: 'claim',
    why: 'It was requested back, and can be claimed now.',
  }))
}
