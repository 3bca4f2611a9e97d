import Type from 'typebox'
import type { OperationState } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import type { OperationViewFilter, Parts } from '../../../operations/index.ts'
import { requireOperationalWallet, requireWallet } from '../../../wallets/index.ts'
import { enumQuery, id } from '../../http/index.ts'
import { optionalEnumValueOf, requestedOpWalletId } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { requireToken } from '../token-filter.ts'

const TYPES = ['SUPPLY', 'UNWIND'] as const
/** Longer than the hash of any chain. */
const HASH_LENGTH = 128

/** Filters of the two lists of operations, besides the status. */
export const operationFilterQuery = {
  type: Type.Optional(enumQuery(TYPES, 'Only operations of this type, case-insensitive.')),
  orgWalletId: Type.Optional(id('Only operations of this organization wallet, whatever the token.')),
  opWalletId: Type.Optional(id('Only operations of this operational wallet: of its wallet and token.')),
  managedWalletId: Type.Optional(id('Alias of opWalletId; if both are sent, they must match.')),
  strategyId: Type.Optional(id('Only operations of this strategy.')),
  token: Type.Optional(Type.String({ description: 'Only operations of this token: a symbol, case-insensitive.' })),
  from: Type.Optional(dateTime('Only operations planned at this moment or later.')),
  until: Type.Optional(dateTime('Only operations planned before this moment.')),
  txHash: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: HASH_LENGTH,
      description: 'Only the operation of the transaction with this hash; a hash that was replaced counts too.',
    }),
  ),
}

type OperationFilterQuery = Type.Static<ReturnType<typeof Type.Object<typeof operationFilterQuery>>>

/** The filter of a query. Errors: VALIDATION_ERROR, WALLET_NOT_FOUND, TOKEN_NOT_FOUND. */
export async function operationFilterOf(
  parts: Pick<Parts, 'db' | 'chains'>,
  credential: Parameters<typeof scopeOf>[0],
  query: OperationFilterQuery,
  states: readonly OperationState[],
): Promise<OperationViewFilter> {
  const { organizationId } = credential
  const { orgWalletId, strategyId, txHash, from, until } = query
  const opWalletId = requestedOpWalletId(query)
  const operational = opWalletId && (await requireOperationalWallet(parts.db, { organizationId, opWalletId }))
  if (orgWalletId !== undefined) await requireWallet(parts.db, scopeOf(credential), orgWalletId)
  return {
    states: operational && orgWalletId !== undefined && operational.walletId !== orgWalletId ? [] : states,
    type: optionalEnumValueOf('type', query.type, TYPES),
    walletId: operational ? operational.walletId : orgWalletId,
    tokenAddress: operational ? operational.tokenAddress : undefined,
    strategyId,
    token: requireToken(parts, query.token),
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
    txHash,
  }
}
