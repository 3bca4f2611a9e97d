import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Modal } from '../dialogs.tsx'
import { LeaveGuard } from '../frame/leave-guard.tsx'
import { LAYERS } from '../layers.ts'

/** A key or secret that is shown once, so only the button closes the dialog; null after a repetition of the request. */
export function NewSecret({
  secret,
  title,
  note,
  onClose,
}: {
  readonly secret: string | null | undefined
  readonly title: string
  readonly note: string
  readonly onClose: () => void
}) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={() => {}}
      title={title}
      zIndex={LAYERS.secret}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <LeaveGuard when={secret != null}>It is shown once: who leaves now cannot read it again.</LeaveGuard>
      <Stack>
        <Text size="sm">{note}</Text>
        <Code block tabIndex={0}>
          {secret ?? ''}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
