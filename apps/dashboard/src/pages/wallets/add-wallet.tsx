import { Button, Group, Modal, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WALLETS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { plain } from '../../lib/money.ts'
import { Curl } from '../../parts/curl.tsx'
import { SearchSelect } from '../../parts/search-select.tsx'
import { chainName } from '../../parts/values.tsx'
import { walletChoice } from '../../parts/wallet-choices.ts'

const NEW = 'new'

/** Registers an address, or takes one that is there, and makes it operational with its buffer: two requests. */
export function AddWallet({
  first,
  onClose,
}: {
  /** The address that the form begins with; a new one if absent. */
  readonly first?: Schema<'OrgWallet'> | undefined
  readonly onClose: () => void
}) {
  const [chosen, setChosen] = useState<string | null>(first ? String(first.id) : NEW)
  const [fields, setFields] = useState({
    address: '',
    blockchain: 'polygon',
    label: '',
    token: 'USDC',
    bufferAmount: '0.00',
  })
  const [enableYield, setEnableYield] = useState(true)
  const [busy, setBusy] = useState(false)
  const make = useAction<{ id: number }>()
  const monitor = useAction('Wallet added. Weir evaluates it within a minute.', onClose)
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setFields((previous) => ({ ...previous, [name]: value }))
  }
  const body = { enableYield, bufferAmount: plain(fields.bufferAmount), token: fields.token }
  const submit = async () => {
    setBusy(true)
    try {
      const { address, blockchain, label } = fields
      const orgWalletId =
        chosen === NEW
          ? (
              await make.mutateAsync({
                method: 'POST',
                path: '/api/core/org-wallets',
                body: { address: address.trim(), blockchain, ...(label && { label }) },
              })
            ).data.id
          : Number(chosen)
      await monitor.mutateAsync({
        method: 'POST',
        path: '/api/core/wallets/add-and-monitor',
        body: { orgWalletId, ...body },
      })
    } catch {
      // Reported where the request was made.
    }
    setBusy(false)
  }
  return (
    <Modal opened onClose={onClose} title="Add a wallet">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack>
          <SearchSelect<Schema<'OrgWallet'>>
            label="Address"
            path={WALLETS}
            choiceOf={walletChoice}
            more={[{ value: NEW, label: 'A new address' }]}
            rowPath={first && `${WALLETS}/${first.id}`}
            value={chosen}
            onChange={setChosen}
          />
          {chosen === NEW && (
            <>
              <TextInput
                label="Address of the wallet"
                required
                value={fields.address}
                onChange={set('address')}
                autoComplete="off"
                spellCheck={false}
              />
              <Select
                label="Chain"
                data={['polygon', 'ethereum', 'base', 'solana'].map((value) => ({ value, label: chainName(value) }))}
                value={fields.blockchain}
                onChange={(value) => value && setFields((previous) => ({ ...previous, blockchain: value }))}
                allowDeselect={false}
              />
              <TextInput
                label="Label"
                value={fields.label}
                onChange={set('label')}
                maxLength={200}
                placeholder="Payouts"
              />
            </>
          )}
          <Select
            label="Token"
            data={['USDC', 'USDT']}
            value={fields.token}
            onChange={(value) => value && setFields((previous) => ({ ...previous, token: value }))}
            allowDeselect={false}
          />
          <TextInput
            label="Buffer"
            description="Stays liquid in the wallet"
            rightSection={
              <Text size="xs" c="dimmed">
                {fields.token}
              </Text>
            }
            rightSectionWidth={56}
            value={fields.bufferAmount}
            onChange={set('bufferAmount')}
            inputMode="decimal"
          />
          <Switch
            label="Deploy what is above the buffer"
            checked={enableYield}
            onChange={(event) => setEnableYield(event.currentTarget.checked)}
          />
          <Group justify="space-between">
            <Curl
              method="POST"
              path="/api/core/wallets/add-and-monitor"
              body={{ orgWalletId: chosen === NEW ? 0 : Number(chosen), ...body }}
            />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Add
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
