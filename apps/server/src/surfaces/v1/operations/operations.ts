import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { scopeOf } from '../../../identity/index.ts'
import {
  cancelOperation,
  exitOfOperation,
  getOperation,
  getOperations,
  leftAllowance,
  type Operation,
  type Parts,
  planClaim,
  planRevocation,
  planSupply,
  planUnwind,
} from '../../../operations/index.ts'
import {
  type App,
  alternatives,
  auditedActorOf,
  enumQuery,
  id,
  idParams,
  pageQuery,
  runVerb,
} from '../../http/index.ts'
import { presentExit } from '../exit-record.ts'
import { parseAmount, parseUnwindAmount } from '../parse-amount.ts'
import { enumFilter } from '../schemas.ts'
import { presentLeftAllowance } from './left-allowance.ts'
import { OperationRecord, presentOperation, STATUSES, statesOf } from './operation-record.ts'
import { presentWithWarnings } from './present-with-warnings.ts'

const OperationList = Type.Object(
  {
    operations: Type.Array(OperationRecord, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'Total number of matching operations.' }),
    limit: Type.Integer({ description: 'Maximum number of entries requested.' }),
    offset: Type.Integer({ description: 'Entries skipped.' }),
    hasMore: Type.Boolean({ description: 'Whether more entries follow.' }),
  },
  { $id: 'OperationList', description: 'A page of operations.' },
)

const Cancelled = Type.Object(
  {
    operationId: id('Operation id.'),
    status: Type.Literal('CANCELLED', {
      description: 'Always CANCELLED. When read later, the operation has status FAILED and failureReason CANCELLED.',
    }),
    success: Type.Literal(true, { description: 'Always true.' }),
  },
  { $id: 'CancelledOperation', description: 'The operation was cancelled.' },
)

const planned = {
  walletAddress: Type.Optional(
    Type.String({ description: "Address of the wallet on the strategy's chain. Required without walletId." }),
  ),
  walletId: Type.Optional(id('Wallet id. Required without walletAddress; if both are sent, they must match.')),
  strategyId: id('Strategy id from the venue list.'),
  ifBusy: Type.Optional(
    Type.Enum(['supersede', 'reject'], {
      description:
        'While an earlier operation of the wallet waits for your signature: `supersede` (default) cancels it, `reject` returns OPERATION_IN_PROGRESS.',
    }),
  ),
}

const SupplyBody = alternatives(
  'anyOf',
  Type.Object({
    ...planned,
    amount: Type.String({ description: 'Base units, digits only.', examples: ['1000000'] }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
  }),
  [
    { title: 'By wallet id', requires: ['walletId'] },
    { title: 'By wallet address', requires: ['walletAddress'] },
  ],
)

const AN_AMOUNT = { requires: ['amount'], constant: { fullWithdrawal: false } }
const THE_WHOLE = { requires: ['fullWithdrawal'], constant: { fullWithdrawal: true }, without: ['amount'] }
const UnwindBody = alternatives(
  'anyOf',
  Type.Object({
    ...planned,
    amount: Type.Optional(Type.String({ description: 'Base units, digits only.' })),
    fullWithdrawal: Type.Optional(Type.Boolean({ description: 'Withdraw the whole position.' })),
  }),
  ['walletId', 'walletAddress'].flatMap((wallet) => [
    { ...AN_AMOUNT, title: `An amount, by ${wallet}`, requires: [wallet, ...AN_AMOUNT.requires] },
    { ...THE_WHOLE, title: `The whole position, by ${wallet}`, requires: [wallet, ...THE_WHOLE.requires] },
  ]),
)

const StrategyBody = alternatives('anyOf', Type.Object(planned), [
  { title: 'By wallet id', requires: ['walletId'] },
  { title: 'By wallet address', requires: ['walletAddress'] },
])

const tags = ['Operations']
const reads = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const
const plans = {
  access: { surface: 'v1', needs: 'write', permission: 'plan' },
  limit: 'v1.write',
  idempotent: 'plain',
} as const

const present = (operation: Operation) => presentOperation(operation)

const requesterOf = (request: FastifyRequest) => ({
  scope: scopeOf(request.credential),
  requestedBy: auditedActorOf(request),
})

/** Operations on v1: plan, read, cancel (spec 4.6, contract 6). */
export function operationRoutes(app: App, parts: Parts): void {
  const presentPlanned = presentWithWarnings(parts.db)

  app.post(
    '/v1/operations/supply',
    {
      config: { ...plans, audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'planSupply',
        summary: 'Plan a supply to a strategy',
        description:
          'Reserves the amount and returns unsigned transactions. Sign and submit them in order before `expiresAt`. Pending operations of the wallet are superseded. Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, STRATEGY_NOT_ACTIVE, INVALID_TOKEN, TOKEN_MISMATCH, INVALID_AMOUNT, AMOUNT_OUT_OF_BOUNDS, OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE, INSUFFICIENT_GAS, SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        body: SupplyBody,
        response: { 201: OperationRecord },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...requesterOf(request), amount: parseAmount(request.body.amount) }
      return runVerb(reply, 201, presentPlanned, (transact) => planSupply(parts, input, transact))
    },
  )

  app.post(
    '/v1/operations/unwind',
    {
      config: { ...plans, audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'planUnwind',
        summary: 'Plan a withdrawal from a strategy',
        description:
          "Send either `amount`, or `fullWithdrawal: true` to withdraw the whole position by the protocol's own mechanism. You can withdraw from paused strategies. Where withdrawals take time, the operation only requests it (`exitStep`): it is confirmed once the request is final, and the money follows with `POST /v1/operations/claim`. Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, ALLOCATION_NOT_FOUND, INVALID_AMOUNT, OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE (the position is smaller), INSUFFICIENT_GAS, SIMULATION_FAILED; CHAIN_UNAVAILABLE.",
        body: UnwindBody,
        response: { 201: OperationRecord },
      },
    },
    async (request, reply) => {
      const { amount, fullWithdrawal, ...named } = request.body
      const input = { ...named, ...requesterOf(request), amount: parseUnwindAmount(amount, fullWithdrawal === true) }
      return runVerb(reply, 201, presentPlanned, (transact) => planUnwind(parts, input, transact))
    },
  )

  app.post(
    '/v1/operations/claim',
    {
      config: { ...plans, audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'planClaim',
        summary: 'Plan the claim of an exit',
        description:
          'Plans the claim of everything the wallet can claim from the strategy now. Sign and submit it like a withdrawal. Weir plans claims of operational wallets by itself. Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, ALLOCATION_NOT_FOUND with `details.reason` `nothing_claimable`, OPERATION_IN_PROGRESS, INSUFFICIENT_GAS, SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        body: StrategyBody,
        response: { 201: OperationRecord },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...requesterOf(request) }
      return runVerb(reply, 201, present, (transact) => planClaim(parts, input, transact))
    },
  )

  app.post(
    '/v1/operations/revoke-allowance',
    {
      config: { ...plans, audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'planRevocation',
        summary: 'Plan the revocation of an allowance',
        description:
          'Plans one transaction, `approve(spender, 0)`, which revokes the whole allowance of the contract of the strategy, such as the `leftAllowance` of a supply that ended between token approval and deposit. The operation moves nothing; it has type `supply`, amount 0 and `revokesAllowance`. A waiting supply of the wallet is superseded. Weir plans revocations for operational wallets by itself. Errors, in this order: INVALID_ADDRESS, WALLET_NOT_FOUND, STRATEGY_NOT_FOUND, ALLOCATION_NOT_FOUND with `details.reason` `nothing_to_revoke`, OPERATION_IN_PROGRESS, INSUFFICIENT_GAS, SIMULATION_FAILED; CHAIN_UNAVAILABLE.',
        body: StrategyBody,
        response: { 201: OperationRecord },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...requesterOf(request) }
      return runVerb(reply, 201, present, (transact) => planRevocation(parts, input, transact))
    },
  )

  app.get(
    '/v1/operations',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listOperations',
        summary: 'List operations',
        description: 'Error: WALLET_NOT_FOUND if `walletId` does not exist or is outside the scope of the key.',
        querystring: Type.Object({
          walletId: Type.Optional(id('Only operations of this wallet.')),
          strategyId: Type.Optional(id('Only operations of this strategy.')),
          status: Type.Optional(enumQuery(STATUSES, 'Only operations with this status, case-insensitive.')),
          type: Type.Optional(enumQuery(['supply', 'unwind'], 'Only operations of this type, case-insensitive.')),
          ...pageQuery,
        }),
        response: { 200: OperationList },
      },
    },
    async ({ query, credential }) => {
      const { walletId, strategyId, limit, offset } = query
      const status = enumFilter('status', query.status, STATUSES)
      const type = enumFilter('type', query.type, ['SUPPLY', 'UNWIND'] as const)
      const filter = { walletId, strategyId, type, states: status && statesOf(status) }
      const { operations, total } = await getOperations(parts, scopeOf(credential), filter, { limit, offset })
      return { operations: operations.map(present), total, limit, offset, hasMore: offset + operations.length < total }
    },
  )

  app.get(
    '/v1/operations/:id',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getOperation',
        summary: 'Get an operation',
        description:
          'A confirmed operation with an `exitStep` has `exit`: what its wallet requested back from the strategy, as it is now, with what other requests added. The money waits while that is not `claimed`. Error: OPERATION_NOT_FOUND.',
        params: idParams('Operation id.'),
        response: { 200: OperationRecord },
      },
    },
    async ({ params, credential }) => {
      const operation = await getOperation(parts, scopeOf(credential), params.id)
      const exit = await exitOfOperation(parts, operation)
      return {
        ...present(operation),
        ...presentLeftAllowance(await leftAllowance(parts, operation)),
        ...(exit && { exit: presentExit(exit) }),
      }
    },
  )

  app.post(
    '/v1/operations/:id/cancel',
    {
      config: { ...plans, audit: { object: 'operation' } },
      schema: {
        tags,
        operationId: 'cancelOperation',
        summary: 'Cancel an operation',
        description:
          'Allowed while none of its transactions is pending and the last one was not submitted. The reservation is released at once. Bytes that you have signed can still land; the operation then completes. Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS.',
        params: idParams('Operation id.'),
        response: { 200: Cancelled },
      },
    },
    async (request, reply) => {
      const presentCancelled = ({ operationId }: Operation) => ({
        operationId,
        status: 'CANCELLED' as const,
        success: true as const,
      })
      const scope = scopeOf(request.credential)
      return runVerb(reply, 200, presentCancelled, (transact) =>
        cancelOperation(parts, scope, request.params.id, transact),
      )
    },
  )
}
