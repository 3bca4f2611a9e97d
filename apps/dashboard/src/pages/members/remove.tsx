import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { MEMBERS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useAction } from '../../api/use-api.ts'
import { Modal } from '../../parts/dialogs.tsx'
import { DeleteFooter } from '../../parts/forms/delete-footer.tsx'
import { HeldList } from './held-list.tsx'
import { MAY } from './roles.tsx'
import { type Held, isNothing, useHeld } from './what-they-hold.ts'

interface Props {
  readonly member: Schema<'Member'>
  readonly onClose: () => void
}

/** Says what the member can do today before it is taken away, and afterwards what is left. */
export function RemoveMember({ member, onClose }: Props) {
  const held = useHeld(member.id)
  /** What they held when they were removed. */
  const [left, setLeft] = useState<Held>()
  const remove = useAction('Member removed.', () => setLeft(held), onClose)
  if (left) return <WhatIsLeft email={member.email} held={left} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={`Remove ${member.email}?`} size="lg">
      <Stack>
        <Text size="sm">
          They can no longer sign in, and their sessions end at once. Their role today is {member.role}, which{' '}
          {MAY[member.role]}. Approvals that they gave no longer count.
        </Text>
        {held && <HeldList held={held}>What keeps working without them:</HeldList>}
        <DeleteFooter
          action={remove}
          path={`${MEMBERS}/${member.id}`}
          label="Remove"
          keep="Keep them"
          disabled={held === undefined}
          onClose={onClose}
        />
      </Stack>
    </Modal>
  )
}

function WhatIsLeft({
  email,
  held,
  onClose,
}: {
  readonly email: string
  readonly held: Held
  readonly onClose: () => void
}) {
  return (
    <Modal opened onClose={onClose} title={`${email} is removed`} size="lg">
      <Stack>
        <Text size="sm">They can no longer sign in, read or approve anything.</Text>
        <HeldList held={held}>If they kept a secret, it still works. Rotate or revoke:</HeldList>
        {!isNothing(held) && (
          <Text size="sm" c="dimmed">
            Keys belong to the organization, so programs keep working. A rotation gives a program a new secret first.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
