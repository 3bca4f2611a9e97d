import Type from 'typebox'
import type { ExitView } from '../../allocations/index.ts'
import { exitStatus, id } from '../http/index.ts'
import { baseUnits, dateTime, orNull } from './schemas.ts'

/** What a wallet requested back, on the routes of exits and of operations. */
export const ExitRecord = Type.Object(
  {
    exitId: id('Exit id.'),
    status: exitStatus,
    walletId: id('Wallet id.'),
    strategyId: id('Strategy id.'),
    token: Type.String({ description: 'Token symbol.' }),
    tokenAddress: Type.String({ description: 'Token contract address.' }),
    pending: baseUnits('What waits, at its current value.'),
    claimable: baseUnits('What can be claimed now.'),
    claimed: baseUnits('What was claimed so far.'),
    claimableAt: orNull(
      dateTime('When all of it can be claimed, by the clock of the chain; null if the protocol does not say.'),
    ),
  },
  { $id: 'ExitRecord', description: 'What a wallet requested back from a strategy that pays later.' },
)

export const presentExit = (exit: ExitView) => ({
  exitId: exit.exitId,
  status: exit.state,
  walletId: exit.walletId,
  strategyId: exit.strategyId,
  token: exit.token,
  tokenAddress: exit.tokenAddress,
  pending: exit.pending.toString(),
  claimable: exit.claimable.toString(),
  claimed: exit.claimed.toString(),
  claimableAt: exit.claimableAt?.toISOString() ?? null,
})
