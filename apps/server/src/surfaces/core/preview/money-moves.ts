import Type from 'typebox'
import { BLOCKCHAINS } from '../../../chains/index.ts'
import { Failure, formatDecimal, SUM_DECIMALS, validationError } from '../../../kernel/index.ts'
import {
  listMoneyMovements,
  type MoneyMovement,
  type MoneyMovementPage,
  type MoneyMovementTotals,
  type MoneyMovementType,
  type Parts,
} from '../../../operations/index.ts'
import { findOperationalWallet } from '../../../wallets/index.ts'
import { type App, envelope, id, ok, pageQuery } from '../../http/index.ts'
import { byEveryoneAndKeys } from '../access.ts'
import { Amount, amountOf, decimal, enumValueOf, opWalletFields, orNull, requestedOpWalletId } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'
import { requireToken } from '../treasury/allocations.ts'
import { TokenDetail } from './schemas.ts'

const TYPES = ['INFLOW', 'SUPPLY', 'UNWIND', 'TRANSFER_OUT'] as const
const STATUSES = ['PENDING', 'CONFIRMED', 'FAILED'] as const
const DAY_MS = 86_400_000

const MoneyMoveRecord = Type.Object(
  {
    id: id('Entry id, unique in this list.'),
    txHash: orNull(Type.String(), 'Hash; null for what moved past us, which is known by its balance.'),
    blockchain: Type.Enum([...BLOCKCHAINS], { description: 'Blockchain, lower case.' }),
    type: Type.Enum([...TYPES], { description: 'INFLOW and TRANSFER_OUT moved past us.' }),
    status: Type.Enum([...STATUSES], { description: 'CONFIRMED: final.' }),
    opWallet: Type.Object(
      { id: opWalletFields.opWalletId, address: Type.String({ description: 'Address of the wallet.' }) },
      { description: 'The wallet.' },
    ),
    token: TokenDetail,
    amount: Amount,
    direction: Type.Enum(['IN', 'OUT'], { description: 'As seen from the wallet.' }),
    addresses: Type.Object(
      {
        from: orNull(Type.String(), 'The wallet, where money went; null where it came from is not known.'),
        to: orNull(Type.String(), 'The wallet, where money came; null where it went to is not known.'),
      },
      { description: 'Between whom.' },
    ),
    operation: orNull(
      Type.Object({
        id: id('Operation id.'),
        status: Type.String({ description: 'Its status.' }),
      }),
      'The operation that moved it; null for what moved past us.',
    ),
    blockchainDetails: Type.Object(
      { blockNumber: orNull(Type.Integer(), 'Block, on Solana the slot; null until it is in one.') },
      { description: 'Where it is on the chain.' },
    ),
    timestamps: Type.Object(
      {
        createdAt: dateTime('When it was sent, or noticed.'),
        confirmedAt: orNull(dateTime('Moment.'), 'When it was final; null until then.'),
      },
      { description: 'When what happened.' },
    ),
  },
  { $id: 'MoneyMove', description: 'Money that came to a wallet or went from it.' },
)

const sums = {
  totalInflowUsd: decimal('What came.'),
  totalOutflowUsd: decimal('What went.'),
  netChangeUsd: decimal('What came less what went.'),
  transactionCount: Type.Integer({ description: 'How many; failed ones are not counted here.' }),
}

const MoneyMoveList = Type.Object(
  {
    transactions: Type.Array(MoneyMoveRecord, { description: 'Newest first.' }),
    summary: Type.Object(
      {
        ...sums,
        byToken: Type.Array(Type.Object({ token: Type.String({ description: 'Token symbol.' }), ...sums }), {
          description: 'The same by token.',
        }),
      },
      { description: 'Of everything that matches, not of this page alone.' },
    ),
    pagination: Pagination,
  },
  { $id: 'MoneyMoveList', description: 'What came and what went.' },
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
        summary: 'What came to the wallets and what went',
        description:
          'Preview. Supplies and withdrawals of operations, and deposits and transfers made past us. Errors: WALLET_NOT_FOUND, TOKEN_NOT_FOUND.',
        querystring: Type.Object({
          opWalletId: Type.Optional(id('Only this operational wallet.')),
          managedWalletId: Type.Optional(id('The same as opWalletId; both must name the same one.')),
          token: Type.Optional(Type.String({ description: 'Only this token: a symbol, in any case.' })),
          startDate: Type.Optional(Type.String({ description: 'From this day or moment on, ISO 8601.' })),
          endDate: Type.Optional(Type.String({ description: 'Until the end of this day, or until this moment.' })),
          type: Type.Optional(
            Type.String({ description: `One of ${TYPES.join(', ')}, in any case; TRANSFER_IN means INFLOW.` }),
          ),
          status: Type.Optional(Type.String({ description: `One of ${STATUSES.join(', ')}, in any case.` })),
          ...pageQuery,
        }),
        response: { 200: envelope(MoneyMoveList, 'A page of it.') },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const opWalletId = requestedOpWalletId(query)
      const of =
        opWalletId === undefined ? undefined : await findOperationalWallet(parts.db, { organizationId, opWalletId })
      if (opWalletId !== undefined && !of) {
        throw new Failure('WALLET_NOT_FOUND', { message: 'The operational wallet does not exist.' })
      }
      const filter = {
        of,
        tokenAddresses: addressesOf(parts, requireToken(parts, query.token)),
        type: query.type === undefined ? undefined : typeOf(query.type),
        status: query.status === undefined ? undefined : enumValueOf('status', query.status, STATUSES),
        from: momentOf('startDate', query.startDate, 0),
        until: momentOf('endDate', query.endDate, DAY_MS),
      }
      return ok(presentList(await listMoneyMovements(parts, organizationId, filter, query), query))
    },
  )
}

function addressesOf({ chains }: Parts, symbol: string | undefined): string[] | undefined {
  if (symbol === undefined) return undefined
  const tokens = [...chains.values()].flatMap(({ network }) => network.tokens)
  return tokens.filter((token) => token.symbol === symbol).map((token) => token.address)
}

function typeOf(text: string): MoneyMovementType {
  const word = enumValueOf('type', text, [...TYPES, 'TRANSFER_IN'])
  return word === 'TRANSFER_IN' ? 'INFLOW' : word
}

/** A day counts to its end where `dayIs` is its length. Error: VALIDATION_ERROR. */
function momentOf(path: string, text: string | undefined, dayIs: number): Date | undefined {
  if (text === undefined) return undefined
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN
  // A day that the calendar does not have is carried over to the next month by some and refused by others.
  if (Number.isNaN(time) || (isDay && new Date(time).toISOString().slice(0, 10) !== text)) {
    throw validationError(path, 'must be an ISO 8601 date')
  }
  return new Date(time + (isDay ? dayIs : 0))
}
