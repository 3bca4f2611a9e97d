import Type from 'typebox'
import type { ExitView } from '../../allocations/index.ts'
import { formatDecimal } from '../../kernel/index.ts'
import { blockchainText, exitStatus, id } from '../http/index.ts'
import { decimal, opWalletFields, orNull, presentOpWalletIds } from './formats.ts'
import { dateTime } from './schemas.ts'
import { labelOfSubject, walletLabel } from './wallet-names.ts'

/** What a wallet requested back, on the routes of exits and of operations. */
export const ExitData = Type.Object(
  {
    id: id('Exit id.'),
    status: exitStatus,
    ...opWalletFields,
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet.' }),
    walletLabel: Type.Optional(walletLabel),
    blockchain: blockchainText('Chain of the wallet.'),
    strategyId: id('Strategy id.'),
    strategy: Type.String({ description: 'Name of the strategy.' }),
    venue: Type.String({ description: 'Name of the venue.' }),
    token: Type.String({ description: 'Token symbol.' }),
    tokenDecimals: Type.Integer({ description: 'Number of decimal places of the token.' }),
    pending: decimal('What waits, at its current value.'),
    claimable: decimal('What can be claimed now.'),
    requested: decimal('What was requested, at its value then.'),
    claimed: decimal('What was claimed so far.'),
    claimableAt: orNull(
      dateTime('Chain time.'),
      'When all of it can be claimed, by the clock of the chain; null if the protocol does not say.',
    ),
    openedAt: dateTime('When the first request was final, by the clock of the chain.'),
    claimedAt: orNull(dateTime('Chain time.'), 'When the last of it was claimed; null until then.'),
    updatedAt: dateTime('When a reading last changed it.'),
  },
  { $id: 'Exit', description: 'What a wallet requested back from a strategy that pays later.' },
)

export function presentExit(exit: ExitView) {
  const amount = (units: bigint) => formatDecimal(units, exit.tokenDecimals)
  return {
    id: exit.exitId,
    status: exit.state,
    ...presentOpWalletIds(exit.opWalletId),
    walletId: exit.walletId,
    walletAddress: exit.walletAddress,
    walletLabel: labelOfSubject(exit),
    blockchain: exit.blockchain,
    strategyId: exit.strategyId,
    strategy: exit.strategyName,
    venue: exit.venueName,
    token: exit.token,
    tokenDecimals: exit.tokenDecimals,
    pending: amount(exit.pending),
    claimable: amount(exit.claimable),
    requested: amount(exit.requested),
    claimed: amount(exit.claimed),
    claimableAt: exit.claimableAt?.toISOString() ?? null,
    openedAt: exit.openedAt.toISOString(),
    claimedAt: exit.state === 'claimed' ? exit.claimedAt.toISOString() : null,
    updatedAt: exit.updatedAt.toISOString(),
  }
}
