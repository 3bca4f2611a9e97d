import { Select, Text } from '@mantine/core'
import { useMay } from '../../api/session.tsx'
import { words } from '../../parts/values.tsx'

const ROLES = ['viewer', 'approver', 'admin', 'owner'] as const

/** What a role may do; shown before it is given and before it is taken away. */
export const MAY: Readonly<Record<string, string>> = {
  viewer: 'sees everything but the audit log, security events and single sign-on; changes nothing',
  approver: 'also approves operations and changes',
  admin: 'also reads the audit log, and manages wallets, keys, webhooks, policies and members',
  owner: 'may do everything, including deleting the organization',
}

export function RoleSelect({ value, onChange }: { readonly value: string; readonly onChange: (role: string) => void }) {
  const may = useMay()
  return (
    <>
      <Select
        label="Role"
        data={ROLES.filter((role) => role !== 'owner' || may.own).map((role) => ({ value: role, label: words(role) }))}
        value={value}
        onChange={(role) => role && onChange(role)}
        allowDeselect={false}
      />
      <Text size="sm" c="dimmed">
        {words(value)}: {MAY[value]}.
      </Text>
    </>
  )
}
