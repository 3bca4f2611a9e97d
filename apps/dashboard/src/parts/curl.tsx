import { Button, Code, CopyButton, Group, Popover, Stack, Text } from '@mantine/core'
import { asCurl, type SentRequest } from '../api/client.ts'

type Shown = Pick<SentRequest, 'method' | 'path'> & { readonly body?: unknown }

/** The request behind a table or a button, to send from a shell. */
export function Curl({ method, path, body, label = 'curl' }: Shown & { readonly label?: string }) {
  const text = asCurl({ method, path, body })
  return (
    <Popover width={440} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="subtle" color="gray" aria-label={`Copy ${method} ${path} as curl`}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Code block tabIndex={0} className="curl">
            {text}
          </Code>
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              Put your key or token in place of the variable.
            </Text>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button size="compact-xs" onClick={copy} data-autofocus>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
