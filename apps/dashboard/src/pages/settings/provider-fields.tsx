import { MultiSelect, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { mappingsOf, type ProviderContent } from './sso.ts'

interface Props {
  readonly value: ProviderContent
  /** The organization's domains whose record was found. */
  readonly proved: readonly string[]
  readonly isNew: boolean
  readonly onChange: (next: ProviderContent) => void
}

export function ProviderFields({ value, proved, isNew, onChange }: Props) {
  const set = (next: Partial<ProviderContent>) => onChange({ ...value, ...next })
  return (
    <>
      <TextInput
        label="Name"
        required
        placeholder="Okta"
        maxLength={200}
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Issuer"
        description={isNew ? 'As its discovery document names it; it cannot be changed' : 'It cannot be changed'}
        required
        disabled={!isNew}
        placeholder="https://acme.okta.com"
        spellCheck={false}
        value={value.issuer}
        onChange={(event) => set({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label="Client ID"
        required
        autoComplete="off"
        spellCheck={false}
        value={value.clientId}
        onChange={(event) => set({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label="Client secret"
        description={isNew ? 'Stored encrypted, never shown' : 'Enter one only to replace it'}
        required={isNew}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the client secret' }}
        value={value.clientSecret}
        onChange={(event) => set({ clientSecret: event.currentTarget.value })}
      />
      <MultiSelect
        label="Domains"
        description={proved.length === 0 ? 'Prove a domain first' : 'Members with these addresses sign in here'}
        data={[...new Set([...proved, ...value.domains])]}
        value={[...value.domains]}
        onChange={(domains) => set({ domains })}
      />
      <TextInput
        label="Claim that gives roles"
        description="Such as groups. Empty: roles are set in Weir"
        spellCheck={false}
        value={value.roleClaim}
        onChange={(event) => set({ roleClaim: event.currentTarget.value })}
      />
      {value.roleClaim.trim() !== '' && (
        <Textarea
          label="Roles by value"
          description="One per line, such as treasury-approvers = approver"
          autosize
          minRows={2}
          spellCheck={false}
          value={value.roleMappings}
          error={mappingsOf(value.roleMappings) === undefined ? 'value = owner, admin, approver or viewer' : undefined}
          onChange={(event) => set({ roleMappings: event.currentTarget.value })}
        />
      )}
      <Select
        label="Everybody else"
        data={[
          { value: '', label: 'is refused' },
          { value: 'viewer', label: 'becomes viewer' },
          { value: 'approver', label: 'becomes approver' },
          { value: 'admin', label: 'becomes admin' },
        ]}
        value={value.defaultRole}
        onChange={(defaultRole) => defaultRole !== null && set({ defaultRole })}
        allowDeselect={false}
      />
    </>
  )
}
