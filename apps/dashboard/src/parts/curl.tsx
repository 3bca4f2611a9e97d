import { Button, Code, CopyButton, Group, Popover, Stack, Text } from '@mantine/core'
import { asCurl, type SentRequest } from '../api/client.ts'

type Shown = Pick<SentRequest, 'method' | 'path'> & { readonly body?: unknown }

/** The request behind a table or a button, to send from a shell. */
export function Curl({ method, path, body, label = 'curl' }: Shown & { readonly label?: string }) {
  const text = asCurl({ method, path, body })
  // Who speaks to the page says what it shows, so the name contains the words of the button.
  const name = label === 'curl' ? `Copy ${method} ${path} as curl` : `${label}: ${method} ${path}`
  return (
    <Popover width={440} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button size="compact-xs" variant="subtle" color="gray" aria-label={name}>
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
