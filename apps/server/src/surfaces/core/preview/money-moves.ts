import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { addMilliseconds, DAY_MS, Failure, formatDecimal, SUM_DECIMALS } from '../../../kernel/index.ts'
import {
  listMoneyMovements,
  type MoneyMovement,
  type MoneyMovementFilter,
  type MoneyMovementPage,
  type MoneyMovementTotals,
  type MoneyMovementType,
  type Parts,
} from '../../../operations/index.ts'
import { findOperationalWallet } from '../../../wallets/index.ts'
import { type App, enumQuery, envelope, id, ok, pageQuery, parseDayOrTime } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { Amount, amountOf, decimal, enumValueOf, opWalletFields, orNull, requestedOpWalletId } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { requireTokenAddresses } from '../token-filter.ts'
import { TokenDetail } from './schemas.ts'

const TYPES = ['INFLOW', 'SUPPLY', 'UNWIND', 'TRANSFER_OUT'] as const
const STATUSES = ['PENDING', 'CONFIRMED', 'FAILED'] as const

const MoneyMoveRecord = Type.Object(
  {
    id: id('Entry id, unique in this list.'),
    txHash: orNull(Type.String(), 'Transaction hash; null for transfers outside Weir, which are detected by balance.'),
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    type: Type.Enum([...TYPES], { description: 'INFLOW and TRANSFER_OUT are transfers outside Weir.' }),
    status: Type.Enum([...STATUSES], { description: 'CONFIRMED: final.' }),
    opWallet: Type.Object(
      { id: opWalletFields.opWalletId, address: Type.String({ description: 'Address of the wallet.' }) },
      { description: 'The wallet.' },
    ),
    token: TokenDetail,
    amount: Amount,
    direction: Type.Enum(['IN', 'OUT'], { description: 'Direction from the perspective of the wallet.' }),
    addresses: Type.Object(
      {
        from: orNull(Type.String(), 'The wallet for outgoing money; null if the sender is unknown.'),
        to: orNull(Type.String(), 'The wallet for incoming money; null if the recipient is unknown.'),
      },
      { description: 'Sender and recipient.' },
    ),
    operation: orNull(
      Type.Object({
        id: id('Operation id.'),
        status: Type.String({ description: 'Its status.' }),
      }),
      'The operation that moved the money; null for transfers outside Weir.',
    ),
    blockchainDetails: Type.Object(
      { blockNumber: orNull(Type.Integer(), 'Block number, on Solana the slot; null until included.') },
      { description: 'Position on the chain.' },
    ),
    timestamps: Type.Object(
      {
        createdAt: dateTime('When the transaction was sent or detected.'),
        confirmedAt: orNull(dateTime('Time.'), 'When the movement became final; null until then.'),
      },
      { description: 'Timestamps.' },
    ),
  },
  { $id: 'MoneyMove', description: 'A movement of money into or out of a wallet.' },
)

const sums = {
  totalInflowUsd: decimal('Total inflow.'),
  totalOutflowUsd: decimal('Total outflow.'),
  netChangeUsd: decimal('Inflow minus outflow.'),
  transactionCount: Type.Integer({ description: 'Number of movements, without failed ones.' }),
}

const MoneyMoveList = Type.Object(
  {
    transactions: Type.Array(MoneyMoveRecord, { description: 'Newest first.' }),
    summary: Type.Object(
      {
        ...sums,
        byToken: Type.Array(Type.Object({ token: Type.String({ description: 'Token symbol.' }), ...sums }), {
          description: 'The same, by token.',
        }),
      },
      { description: 'Totals over all matching movements, not only this page.' },
    ),
    pagination: Pagination,
  },
  { $id: 'MoneyMoveList', description: 'A page of money movements with totals.' },
)

function presentMove(move: MoneyMovement) {
  const { token, direction, walletAddress } = move
  return {
    id: move.movementId,
    txHash: move.txHash,
    blockchain: move.blockchain as (typeof BLOCKCHAINS)[number],
    type: move.type,
    status: move.status,
    opWallet: { id: move.opWalletId, address: walletAddress },
    token: { symbol: token.symbol, decimals: token.decimals, mintAddress: token.address },
    amount: amountOf(move.amount, token),
    direction,
    addresses: {
      from: direction === 'OUT' ? walletAddress : null,
      to: direction === 'IN' ? walletAddress : null,
    },
    operation: move.operationId === null ? null : { id: move.operationId, status: move.operationState ?? '' },
    blockchainDetails: { blockNumber: move.blockNumber },
    timestamps: { createdAt: move.at.toISOString(), confirmedAt: move.finalAt?.toISOString() ?? null },
  }
}

const presentSums = ({ inflow, outflow, count }: MoneyMovementTotals) => ({
  totalInflowUsd: formatDecimal(inflow, SUM_DECIMALS),
  totalOutflowUsd: formatDecimal(outflow, SUM_DECIMALS),
  netChangeUsd: formatDecimal(inflow - outflow, SUM_DECIMALS),
  transactionCount: count,
})

const presentList = ({ moves, total, all, byToken }: MoneyMovementPage, query: { limit: number; offset: number }) => ({
  transactions: moves.map(presentMove),
  summary: { ...presentSums(all), byToken: byToken.map(({ token, ...of }) => ({ token, ...presentSums(of) })) },
  pagination: paginationOf(query, total, moves.length),
})

/** `GET /api/transactions` (spec 4.9, contract 14). */
export function moneyMoveRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/transactions',
    {
      config: byEveryoneAndKeys,
      schema: {
        tags: ['Preview'],
        operationId: 'listMoneyMoves',
        summary: 'List money movements',
        description:
          'Preview. Lists supplies and withdrawals by operations, and deposits and transfers outside Weir. Errors: WALLET_NOT_FOUND, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          opWalletId: Type.Optional(id('Only this operational wallet.')),
          managedWalletId: Type.Optional(id('Alias of opWalletId; if both are sent, they must match.')),
          token: Type.Optional(Type.String({ description: 'Only this token: a symbol, case-insensitive.' })),
          startDate: Type.Optional(Type.String({ description: 'Only movements from this day or time on, ISO 8601.' })),
          endDate: Type.Optional(
            Type.String({ description: 'Only movements until the end of this day, or until this time.' }),
          ),
          type: Type.Optional(enumQuery(TYPES, 'Only moves of this type, case-insensitive; TRANSFER_IN means INFLOW.')),
          status: Type.Optional(enumQuery(STATUSES, 'Only moves in this status, case-insensitive.')),
          ...pageQuery,
        }),
        response: { 200: envelope(MoneyMoveList, 'A page of money movements.') },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const opWalletId = requestedOpWalletId(query)
      const opWallet =
        opWalletId === undefined ? undefined : await findOperationalWallet(parts.db, { organizationId, opWalletId })
      if (opWalletId !== undefined && !opWallet) {
        throw new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })
      }
      const filter: MoneyMovementFilter = {
        opWallet,
        tokenAddresses: requireTokenAddresses(parts, query.token),
        type: query.type === undefined ? undefined : typeOf(query.type),
        status: query.status === undefined ? undefined : enumValueOf('status', query.status, STATUSES),
        from: momentOf('startDate', query.startDate, 0),
        until: momentOf('endDate', query.endDate, DAY_MS),
      }
      return ok(presentList(await listMoneyMovements(parts, organizationId, filter, query), query))
    },
  )
}

function typeOf(text: string): MoneyMovementType {
  const word = enumValueOf('type', text, [...TYPES, 'TRANSFER_IN'])
  return word === 'TRANSFER_IN' ? 'INFLOW' : word
}

/** Parses a time or a day; `dayOffsetMs` is added to a day. Error: VALIDATION_ERROR. */
function momentOf(path: string, text: string | undefined, dayOffsetMs: number): Date | undefined {
  if (text === undefined) return undefined
  const { at, isDay } = parseDayOrTime(path, text)
  return isDay ? addMilliseconds(at, dayOffsetMs) : at
}
