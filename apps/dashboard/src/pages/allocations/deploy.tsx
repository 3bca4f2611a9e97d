import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ALLOCATIONS, MONITORED } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { plain } from '../../lib/money/money.ts'
import { plannedText } from '../../lib/text/planned-text.ts'
import { Curl } from '../../parts/curl.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { operationalChoice } from '../../parts/treasury/wallet-choices.ts'

/** Weir chooses the strategy, within the caps. */
const ANY = 'any'

interface Props {
  /** What is tried again, to begin with. */
  readonly earlier?: Schema<'CoreOperation'>
  readonly onClose: () => void
}

export function Deploy({ earlier, onClose }: Props) {
  const [wallet, setWallet] = useState<{ readonly id: number; readonly token: string } | undefined>(walletOf(earlier))
  const [amount, setAmount] = useState(earlier?.amount.amount ?? '')
  const [strategy, setStrategy] = useState(earlier ? String(earlier.strategy.id) : ANY)
  const deploy = useAction<Data<'createCoreAllocation'>>(
    (planned) => plannedText(planned, `deploys into ${planned.strategy.name}`),
    onClose,
  )
  const body = {
    opWalletId: wallet?.id ?? 0,
    amount: plain(amount),
    asset: wallet?.token ?? 'USDC',
    ...(strategy === ANY ? {} : { strategyId: Number(strategy) }),
  }
  return (
    <Modal opened onClose={onClose} title="Deploy now">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          deploy.mutate({ method: 'POST', path: ALLOCATIONS, body })
        }}
      >
        <Stack>
          <Text size="sm">
            {strategy === ANY
              ? 'Weir chooses the strategy that earns the most within your caps.'
              : 'The strategy is the one that was tried, whatever its cap.'}{' '}
            The approval policy applies.
          </Text>
          <SearchSelect<Schema<'OperationalWallet'>>
            label="Operational wallet"
            required
            path={MONITORED}
            choiceOf={operationalChoice}
            value={wallet ? String(wallet.id) : null}
            onChange={(_, row) => {
              setWallet(row)
              // The strategy that was tried may be on another chain.
              setStrategy(ANY)
            }}
            rowPath={earlier && `${MONITORED}/${earlier.opWalletId}`}
            nothingFound="No operational wallet starts with this"
          />
          {earlier && wallet?.id === earlier.opWalletId && (
            <Select
              label="Strategy"
              data={[
                { value: String(earlier.strategy.id), label: earlier.strategy.name },
                { value: ANY, label: 'Weir chooses' },
              ]}
              value={strategy}
              onChange={(next) => setStrategy(next ?? ANY)}
              allowDeselect={false}
            />
          )}
          <TextInput
            label="Amount"
            required
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
            inputMode="decimal"
          />
          <Group justify="space-between">
            <Curl method="POST" path={ALLOCATIONS} body={body} />
            <Button type="submit" loading={deploy.isPending} disabled={wallet === undefined || amount === ''}>
              Deploy
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const walletOf = (earlier: Props['earlier']) =>
  earlier?.opWalletId == null ? undefined : { id: earlier.opWalletId, token: earlier.token.symbol }
