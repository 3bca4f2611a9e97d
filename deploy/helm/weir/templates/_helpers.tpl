{{- define "weir.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "weir.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "weir.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "weir.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "weir.selector" . }}
{{- end -}}

{{- define "weir.selector" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "weir.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "weir.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{- $suffix := ternary "-sandbox" "" (eq .Values.mode "sandbox") -}}
{{ .Values.image.repository }}:{{ default (printf "%s%s" .Chart.AppVersion $suffix) .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The role whose pods serve requests: a label of the pods, and what the Service selects. */}}
{{- define "weir.servingComponent" -}}
{{- ternary "sandbox" "api" (eq .Values.mode "sandbox") -}}
{{- end -}}

{{/* Settings that are no secret, of every pod. `role` is empty for a command. */}}
{{- define "weir.env" -}}
{{- $root := .root -}}
- name: SERVICE_ENV
  value: {{ $root.Values.mode }}
{{- if .role }}
- name: ROLE
  value: {{ .role }}
{{- end }}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "3000"
{{- if $root.Values.publicUrl }}
- name: PUBLIC_URL
  value: {{ $root.Values.publicUrl | quote }}
{{- end }}
{{- if and .role $root.Values.metrics.enabled }}
- name: METRICS_HOST
  value: 0.0.0.0
- name: METRICS_PORT
  value: {{ $root.Values.metrics.port | quote }}
{{- end }}
- name: NODE_COMPILE_CACHE
  value: /tmp/compile-cache
{{- range $name, $value := merge dict $root.Values.settings $root.Values.environment }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "weir.envFrom" -}}
{{- with .Values.existingSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
{{- end -}}

{{- define "weir.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "weir.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end -}}

{{- define "weir.ports" -}}
- name: http
  containerPort: 3000
  protocol: TCP
{{- if .Values.metrics.enabled }}
- name: metrics
  containerPort: {{ .Values.metrics.port }}
  protocol: TCP
{{- end }}
{{- end -}}

{{/* The start migrates and reads the chains once, which may take minutes; a process that hangs later is restarted. */}}
{{- define "weir.probes" -}}
startupProbe:
  httpGet:
    path: /health
    port: http
  periodSeconds: 2
  failureThreshold: 300
livenessProbe:
  httpGet:
    path: /health
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /ready
    port: http
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}

{{/* Pods of a role on different nodes, where there are some. */}}
{{- define "weir.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "weir.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "weir.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A Deployment of live: `component` is api or worker, which is also its role. */}}
{{- define "weir.deployment" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $values := .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "weir.fullname" $root }}-{{ $component }}
  labels:
    {{- include "weir.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $component }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $values) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "weir.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $component }}
  template:
    metadata:
      labels:
        {{- include "weir.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $component }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "weir.serviceAccountName" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
      {{- with $root.Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "weir.podSecurityContext" $root | nindent 8 }}
      containers:
        - name: weir
          image: {{ include "weir.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          {{- include "weir.envFrom" $root | nindent 10 }}
          env:
            {{- include "weir.env" (dict "root" $root "role" $component) | nindent 12 }}
          ports:
            {{- include "weir.ports" $root | nindent 12 }}
          {{- include "weir.probes" $root | nindent 10 }}
          lifecycle:
            # Endpoints are withdrawn meanwhile, so no request reaches a process that has begun to stop.
            preStop:
              sleep:
                seconds: 5
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "weir.securityContext" $root | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- with $root.Values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
        {{- with $root.Values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if $values.topologySpread }}
      {{- include "weir.spread" (dict "root" $root "component" $component) | nindent 6 }}
      {{- end }}
      {{- include "weir.placement" $values | nindent 6 }}
{{- end -}}

{{- define "weir.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "weir.fullname" .root }}-{{ .component }}
  labels:
    {{- include "weir.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "weir.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end -}}
