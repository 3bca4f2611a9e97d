import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Modal } from '../../parts/dialogs.tsx'
import { LeaveGuard } from '../../parts/frame/leave-guard.tsx'

interface Props {
  readonly codes: readonly string[]
  readonly onStored: () => void
}

/** New recovery codes, shown once; only the button closes the dialog. */
export function RecoveryCodes({ codes, onStored }: Props) {
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Your recovery codes"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <LeaveGuard when>They are shown once: who leaves now cannot read them again.</LeaveGuard>
      <Stack>
        <Text size="sm">
          Each code replaces a second factor once. They are shown only now: store them somewhere other than this device.
        </Text>
        <Code block tabIndex={0} aria-label="Codes to store">
          {codes.join('\n')}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onStored}>I have stored them</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
