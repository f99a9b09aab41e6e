#!/bin/bash
set -euo pipefail
ENVIRONMENT="$1"
IMAGE="registry.example.com/app:$(git rev-parse --short HEAD)"
docker build -t "$IMAGE" .
docker push "$IMAGE"
kubectl --context "$ENVIRONMENT" set image deployment/app app="$IMAGE"
kubectl --context "$ENVIRONMENT" rollout status deployment/app --timeout=120s
ssh "deploy@$ENVIRONMENT.example.com" 'sudo systemctl restart worker'
