import { Stack } from '@mantine/core'
import { MONITORED } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { Empty, Loaded } from '../../parts/frame/page.tsx'
import { chainName, Facts, Hash, Money, Time } from '../../parts/values.tsx'
import { Buffer } from './buffer.tsx'
import { Earnings } from './earnings.tsx'
import { Positions } from './positions.tsx'
import { WalletExits } from './wallet-exits.tsx'
import { WalletLedger } from './wallet-ledger.tsx'

/** One operational wallet: its money, its buffer with what would move, and why it does or does not. */
export function WalletPanel({ id }: { readonly id: number }) {
  const detail = useApi<Schema<'OperationalWallet'>>(`${MONITORED}/${id}`)
  if (detail.error?.code === 'WALLET_NOT_FOUND')
    return <Empty title="Wallet not found">It may belong to another organization, or the link is old.</Empty>
  return (
    <Loaded query={detail} height={400}>
      {(wallet) => (
        <Stack gap="lg">
          <Facts
            items={[
              ['Address', <Hash key="a" value={wallet.address} label={wallet.label} chain={wallet.blockchain} />],
              ['Chain', chainName(wallet.blockchain)],
              ['Total', <Money key="t" amount={wallet.totalBalance} token={wallet.token} strong />],
              ['Liquid', <Money key="l" amount={wallet.availableBalance} token={wallet.token} />],
              ['Deployed', <Money key="d" amount={wallet.deployedBalance} token={wallet.token} />],
              ['Reserved', <Money key="r" amount={wallet.reservedBalance} token={wallet.token} />],
              ...exiting(wallet),
              ['Added', <Time key="c" iso={wallet.createdAt} />],
            ]}
          />
          <Buffer key={wallet.id} wallet={wallet} />
          <Positions wallet={wallet} />
          <WalletExits wallet={wallet} />
          <Earnings wallet={wallet} />
          <WalletLedger wallet={wallet} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Where something is requested back and not claimed; the service leaves the amount out otherwise. */
const exiting = ({ exitingBalance, token }: Schema<'OperationalWallet'>) =>
  exitingBalance === undefined ? [] : [['Exiting', <Money key="x" amount={exitingBalance} token={token} />] as const]
