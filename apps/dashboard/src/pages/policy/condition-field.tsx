import { Checkbox, Group, MultiSelect, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WALLETS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { useEach } from '../../api/use-each.ts'
import { OFFERED, useSearch } from '../../parts/forms/use-search.ts'
import { walletChoice } from '../../parts/treasury/wallet-choices.ts'
import { type ConditionName, isComplete, type When } from './conditions.ts'
import { HoursField } from './hours-field.tsx'

interface Props {
  readonly name: ConditionName
  readonly when: When
  readonly disabled: boolean
  readonly onChange: (next: When) => void
}

/** The field of one condition, labelled with its name by the part that shows it. */
export function ConditionField({ name, when, disabled, onChange }: Props) {
  const error = isComplete(name, when) ? undefined : ERRORS[name]
  if (name === 'amountAtLeast')
    return (
      <TextInput
        aria-label="From this amount"
        disabled={disabled}
        inputMode="decimal"
        value={when.amountAtLeast ?? ''}
        error={error}
        rightSection={
          <Text size="xs" c="dimmed">
            tokens
          </Text>
        }
        rightSectionWidth={56}
        onChange={(event) => onChange({ amountAtLeast: event.currentTarget.value.trim() })}
      />
    )
  if (name === 'types')
    return (
      <Checkbox.Group
        aria-label="Type of operation"
        value={[...(when.types ?? [])]}
        onChange={(types) => onChange({ types: types as NonNullable<When['types']> })}
        error={error}
      >
        <Group gap="md">
          <Checkbox value="SUPPLY" label="Deposits" disabled={disabled} />
          <Checkbox value="UNWIND" label="Withdrawals" disabled={disabled} />
        </Group>
      </Checkbox.Group>
    )
  if (name === 'outsideHours' && when.outsideHours)
    return (
      <HoursField
        hours={when.outsideHours}
        disabled={disabled}
        error={error}
        onChange={(outsideHours) => onChange({ outsideHours })}
      />
    )
  if (name === 'walletIds') return <WalletsField when={when} disabled={disabled} error={error} onChange={onChange} />
  if (name === 'custodyProviders' || name === 'counterparties')
    return <NamesField name={name} when={when} disabled={disabled} error={error} onChange={onChange} />
  return null
}

const ERRORS: Readonly<Record<ConditionName, string>> = {
  amountAtLeast: 'Enter an amount such as 10000.00',
  types: 'Choose at least one',
  walletIds: 'Choose at least one',
  custodyProviders: 'Name at least one',
  counterparties: 'Name at least one',
  outsideHours: 'Enter times such as 08:00 and choose at least one day',
}

interface FieldProps extends Omit<Props, 'name'> {
  readonly error: string | undefined
}

/** Wallets by label or address: the newest are offered, and the service finds the others by what is typed. */
function WalletsField({ when, disabled, error, onChange }: FieldProps) {
  const [typed, setTyped] = useState('')
  const found = useSearch<Schema<'OrgWallet'>[]>(WALLETS, typed.trim())
  const chosen = (when.walletIds ?? []).map(String)
  const named = useEach<Schema<'OrgWallet'>>(chosen.map((id) => `${WALLETS}/${id}`))
  const offered = (found.data?.data ?? []).map(walletChoice).filter(({ value }) => !chosen.includes(value))
  const total = found.data?.total ?? 0
  const own = chosen.map((value, at) => {
    const wallet = named[at]?.data?.data
    return wallet === undefined ? { value, label: `Wallet ${value}` } : walletChoice(wallet)
  })
  return (
    <MultiSelect
      aria-label="Wallets"
      {...(total > OFFERED && { description: `${total} wallets: type a label or an address` })}
      disabled={disabled}
      data={[...own, ...offered]}
      value={chosen}
      error={error}
      onChange={(ids) => onChange({ walletIds: ids.map(Number) })}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={found.data ? 'No label or address starts with this' : 'Searching…'}
      hidePickedOptions
    />
  )
}

const LABELS = { custodyProviders: 'Custody providers', counterparties: 'Counterparties' } as const

/** Names that people type; those that the organization knows are offered. */
function NamesField({
  name,
  when,
  disabled,
  error,
  onChange,
}: FieldProps & { readonly name: 'custodyProviders' | 'counterparties' }) {
  const wallets = useApi<Schema<'OrgWallet'>[]>(
    name === 'custodyProviders' ? '/api/core/wallets?limit=100&offset=0' : null,
  ).data?.data
  const venues = useApi<Data<'listVenues'>>(name === 'counterparties' ? '/v1/venues' : null).data?.data.venues
  const offered =
    name === 'custodyProviders'
      ? (wallets ?? []).map(({ custodyProvider }) => custodyProvider)
      : (venues ?? []).flatMap((venue) => [venue.name, venue.protocol])
  return (
    <TagsInput
      aria-label={LABELS[name]}
      placeholder={name === 'counterparties' ? 'A venue, a protocol or the address of a contract' : 'self'}
      disabled={disabled}
      data={[...new Set(offered)]}
      value={[...(when[name] ?? [])]}
      error={error}
      onChange={(names) => onChange({ [name]: names })}
      acceptValueOnBlur
    />
  )
}
