import Type from 'typebox'
import { actorOf } from '../../../identity/index.ts'
import { validationError } from '../../../kernel/index.ts'
import type { Operation } from '../../../operations/index.ts'
import {
  cancelAwaited,
  findWithdrawTarget,
  type PartlyWithdrawn,
  type RebalanceParts,
  type WithdrawTarget,
  withdraw,
  withdrawPartly,
} from '../../../rebalancing/index.ts'
import { ADMINS, type App, alternatives, envelope, id, idParams, ok, runVerb } from '../../http/index.ts'
import { Amount, amountOf, amountText, opWalletFields, positiveDecimal, presentOpWalletIds } from '../formats.ts'
import { operationStatus } from '../operations/operations.ts'
import { Deleted, presentDeleted } from '../schemas.ts'
import { AwaitedWithdrawalData, presentAwaited } from './awaited.ts'

const PlannedWithdrawal = Type.Object(
  {
    operationId: id('Operation id of the planned unwind.'),
    type: Type.Literal('UNWIND', { description: 'Always UNWIND.' }),
    status: operationStatus,
    ...opWalletFields,
    amount: Amount,
    awaited: Type.Optional(AwaitedWithdrawalData),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'A fee that the vault keeps of the withdrawal. Absent if there is none.',
      }),
    ),
  },
  { $id: 'PlannedWithdrawal', description: 'A planned withdrawal. `awaited` only if it pays less than was requested.' },
)

const OnlyAwaited = Type.Object(
  { awaited: AwaitedWithdrawalData },
  { $id: 'OnlyAwaitedWithdrawal', description: 'A withdrawal that cannot be paid even in part now.' },
)

const Body = alternatives(
  'anyOf',
  Type.Object({
    amount: Type.Optional(amountText),
    full: Type.Optional(Type.Boolean({ description: 'True to withdraw the whole position. False has no effect.' })),
    partial: Type.Optional(
      Type.Boolean({
        description:
          'True to withdraw what can be paid now and have Weir withdraw the rest as it comes free. By default a withdrawal that cannot be paid at once is refused.',
      }),
    ),
  }),
  [
    { title: 'An amount', requires: ['amount'], constant: { full: false } },
    { title: 'The whole position', requires: ['full'], constant: { full: true }, without: ['amount'] },
  ],
)

const presentPlanned = (operation: Operation, { token, warnings }: WithdrawTarget) => ({
  operationId: operation.operationId,
  type: 'UNWIND' as const,
  status: operation.state,
  ...presentOpWalletIds(operation.opWalletId),
  amount: amountOf(operation.amount ?? operation.plannedValue ?? 0n, token),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
})

function presentPartly({ operation, awaited }: PartlyWithdrawn, target: WithdrawTarget) {
  const rest = awaited && presentAwaited(awaited.withdrawal, awaited.value, target.token.decimals)
  if (operation) return ok({ ...presentPlanned(operation, target), ...(rest && { awaited: rest }) })
  return ok({ awaited: rest! })
}

const tags = ['Core allocations']
const byAdmins = { access: { surface: 'core', roles: ADMINS, serviceAccounts: true }, limit: 'core' } as const

/** Withdrawals on request (spec 4.4, 3.3; contract 7). */
export function withdrawalRoutes(app: App, parts: RebalanceParts): void {
  app.post(
    '/api/v1/allocations/:id/withdraw',
    {
      config: {
        ...byAdmins,
        idempotent: 'plain',
        audit: { details: ['data.operationId', 'data.status', 'data.amount', 'data.awaited'] },
      },
      schema: {
        tags,
        operationId: 'withdrawCoreAllocation',
        summary: 'Withdraw from an allocation',
        description:
          'Queues an unwind of `amount`, or of the whole position with `full`; send exactly one of the two. With `partial`, what the strategy cannot pay now is in `awaited`: Weir withdraws it as it comes free, until all is fetched, you cancel it, or an approver rejects one of its unwinds. The rebalancer does not redeploy the withdrawn amount for a while, and deposits nothing where a withdrawal is awaited. Errors: ALLOCATION_NOT_FOUND; INVALID_OPERATION_STATUS if the allocation is closed; CONFLICT if its wallet is not an operational wallet, or, with `partial`, if it already awaits a withdrawal; OPERATION_IN_PROGRESS while an operation of the wallet is unfinished; INSUFFICIENT_BALANCE if the position is worth less; INSUFFICIENT_GAS; SIMULATION_FAILED, with what can be withdrawn now if that is too little; CHAIN_UNAVAILABLE.',
        params: idParams('Allocation id.'),
        body: Body,
        response: {
          201: envelope(PlannedWithdrawal, 'The withdrawal was planned.'),
          202: envelope(OnlyAwaited, 'Nothing can be paid now. The withdrawal is awaited.'),
        },
      },
    },
    async (request, reply) => {
      const { amount, full, partial } = request.body
      if ((amount === undefined) === (full !== true))
        throw validationError('amount', 'either amount or full is required, not both')
      const { organizationId } = request.credential
      const target = await findWithdrawTarget(parts, { organizationId, allocationId: request.params.id })
      const input = {
        target,
        amount: amount === undefined ? null : positiveDecimal('amount', amount, target.token),
        requestedBy: actorOf(request.credential),
      }
      if (partial === true) {
        const status = ({ operation }: PartlyWithdrawn) => (operation ? 201 : 202)
        const present = (result: PartlyWithdrawn) => presentPartly(result, target)
        return runVerb(reply, status, present, (transact) => withdrawPartly(parts, input, transact))
      }
      const present = (operation: Operation) => ok(presentPlanned(operation, target))
      return runVerb(reply, 201, present, (transact) => withdraw(parts, input, transact))
    },
  )

  app.delete(
    '/api/v1/allocations/:id/awaited-withdrawal',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'cancelAwaitedWithdrawal',
        summary: 'Cancel an awaited withdrawal',
        description:
          'Weir withdraws nothing more for it; an unfinished unwind continues. Errors: ALLOCATION_NOT_FOUND; INVALID_OPERATION_STATUS if the allocation is closed; CONFLICT if it awaits no withdrawal, or its wallet is not an operational wallet.',
        params: idParams('Allocation id.'),
        response: { 200: envelope(Deleted, 'The withdrawal is no longer awaited.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const target = await findWithdrawTarget(parts, { organizationId, allocationId: request.params.id })
      return runVerb(reply, 200, presentDeleted, (transact) => cancelAwaited(parts, target, transact))
    },
  )
}
