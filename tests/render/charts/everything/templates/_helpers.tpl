{{/* Names and pods that several templates share. */}}
{{- define "everything.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "everything.pod" -}}
metadata:
  labels:
    {{- include "everything.labels" . | nindent 4 }}
spec:
  containers:
    - name: worker
      image: {{ .Values.image }}
      resources:
        requests:
          cpu: {{ .Values.worker.cpu }}
          memory: {{ .Values.worker.memory }}
        limits:
          memory: {{ .Values.worker.memory }}
    - name: fixed
      image: registry.example.com/fixed:1
      resources:
        limits:
          memory: 20Mi
{{- end }}
