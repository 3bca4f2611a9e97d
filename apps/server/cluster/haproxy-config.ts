import type { DatabaseNode } from './patroni-config.ts'

/** The configuration of docs/high-availability.md, with both servers on this machine. */
export function haproxyConfig(port: number, nodes: readonly DatabaseNode[]): string {
  const servers = nodes.map(
    ({ name, port: own, restPort }) => `  server ${name} 127.0.0.1:${own} check port ${restPort}`,
  )
  return `global
  maxconn 500

defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  option clitcpka
  option srvtcpka

listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}
