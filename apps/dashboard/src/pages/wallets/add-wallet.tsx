import { Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ORG_WALLETS, WALLETS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { plain } from '../../lib/money/money.ts'
import { Curl } from '../../parts/curl.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { SearchSelect } from '../../parts/forms/search-select.tsx'
import { walletChoice } from '../../parts/treasury/wallet-choices.ts'
import { chainName } from '../../parts/values.tsx'

const NEW = 'new'
const MONITOR = '/api/core/wallets/add-and-monitor'
/** In the second request to copy: only the response to the first one has it. */
const ID_OF_THE_FIRST = 'the id in the first response'

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
  const { address, blockchain, label } = fields
  const registration = { address: address.trim(), blockchain, ...(label && { label }) }
  const submit = async () => {
    setBusy(true)
    try {
      const orgWalletId =
        chosen === NEW
          ? (
              await make.mutateAsync({
                method: 'POST',
                path: ORG_WALLETS,
                body: registration,
              })
            ).data.id
          : Number(chosen)
      await monitor.mutateAsync({
        method: 'POST',
        path: MONITOR,
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
            <Group gap={4}>
              {chosen === NEW && <Curl method="POST" path={ORG_WALLETS} body={registration} label="Register as curl" />}
              <Curl
                method="POST"
                path={MONITOR}
                body={{ orgWalletId: chosen === NEW ? ID_OF_THE_FIRST : Number(chosen), ...body }}
                {...(chosen === NEW && { label: 'Then, as curl' })}
              />
            </Group>
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
